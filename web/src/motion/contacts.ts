import type { ContactInterval } from "../protocol";

/** The roles that touch something at a frame. */
export function touchingAt(contacts: readonly ContactInterval[], frame: number): string[] {
  const at = Math.floor(frame);
  return contacts.filter((c) => c.first <= at && at <= c.last).map((c) => c.role);
}

export interface Lane {
  readonly role: string;
  readonly intervals: readonly ContactInterval[];
}

const ORDER = ["left_hand", "right_hand", "left_foot", "right_foot"];

/** One lane a role for the timeline, hands above feet, left above right. */
export function contactLanes(contacts: readonly ContactInterval[]): Lane[] {
  const roles = [...new Set(contacts.map((c) => c.role))];
  const place = (role: string) => (ORDER.includes(role) ? ORDER.indexOf(role) : ORDER.length);
  roles.sort((a, b) => place(a) - place(b) || a.localeCompare(b));
  return roles.map((role) => ({ role, intervals: contacts.filter((c) => c.role === role) }));
}
