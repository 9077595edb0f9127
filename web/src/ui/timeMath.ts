import { clamp } from "../state/playback";

/** Where a frame stands on a track, 0 to 1: the first frame at the left edge, the last at the right. */
export function placeOf(frame: number, frames: number): number {
  return frames > 1 ? clamp(frame / (frames - 1), 0, 1) : 0;
}

/** The frame nearest to a place on the track. */
export function frameAt(place: number, frames: number): number {
  return Math.round(clamp(place, 0, 1) * Math.max(frames - 1, 0));
}

const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500];

/** Frames between two labelled ticks so that they stand at least `room` pixels apart. */
export function tickStep(frames: number, width: number, room: number): number {
  const perFrame = width / Math.max(frames - 1, 1);
  for (let power = 1; power < 1e9; power *= 1000) {
    const step = STEPS.find((s) => s * power * perFrame >= room);
    if (step !== undefined) return step * power;
  }
  return frames;
}

const SECOND_STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** As `tickStep`, in seconds. */
export function secondStep(seconds: number, width: number, room: number): number {
  return SECOND_STEPS.find((s) => (s / Math.max(seconds, 1e-6)) * width >= room) ?? seconds;
}

export interface Tick {
  readonly place: number;
  readonly text: string;
}

/** Labelled ticks of a track, counted in frames or in seconds. */
export function ticks(frames: number, rate: number, width: number, seconds: boolean): Tick[] {
  if (frames < 2 || width <= 0) return [];
  const found: Tick[] = [];
  if (!seconds) {
    const step = tickStep(frames, width, 46);
    for (let f = 0; f < frames; f += step) found.push({ place: placeOf(f, frames), text: String(f) });
    return found;
  }
  const length = (frames - 1) / rate;
  const step = secondStep(length, width, 54);
  for (let i = 0; i * step <= length + 1e-9; i++) found.push({ place: (i * step) / length, text: clock(i * step, step) });
  return found;
}

function clock(seconds: number, step: number): string {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  if (seconds < 60) return `${seconds.toFixed(digits)}s`;
  const minutes = Math.floor(seconds / 60 + 1e-9);
  return `${minutes}:${(seconds - minutes * 60).toFixed(digits).padStart(digits > 0 ? digits + 3 : 2, "0")}`;
}

/** "142" or "1.183 s". */
export function readout(frame: number, rate: number, seconds: boolean): string {
  return seconds ? `${(frame / rate).toFixed(3)} s` : String(frame);
}

/** The frame a person means who types "142", "1.5s" or (counting seconds) "1.5"; null for anything else. */
export function parseReadout(text: string, rate: number, seconds: boolean): number | null {
  const match = /^\s*(\d+(?:[.,]\d*)?|[.,]\d+)\s*(s|f)?\s*$/i.exec(text);
  if (!match) return null;
  const value = Number(match[1].replace(",", "."));
  const unit = match[2]?.toLowerCase() ?? (seconds ? "s" : "f");
  return Math.round(unit === "s" ? value * rate : value);
}

/** ¼× and the like for speeds. */
export function speedName(speed: number): string {
  return ({ 0.125: "⅛×", 0.25: "¼×", 0.5: "½×" } as Record<number, string>)[speed] ?? `${speed}×`;
}

/** "263 frames" said with the right plural. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}
