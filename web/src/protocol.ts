// Generated from src/marotte/viewer/_payload.py by tools/generate_protocol.py.
// Change the models, then run `make format`.

/**
 * What a browser is told about a take: one definition, from which the TypeScript types are generated.
 *
 * Everything is metres, Y up, right-handed. Arrays travel as base64 of little-endian float32,
 * quaternions as (x, y, z, w), which is the order of three.js: the conversion lives here, at the edge.
 */

export const PAYLOAD_VERSION = 1;

export type Vec3 = [number, number, number];

/** One joint of a take's skeleton, parents first. */
export interface JointInfo {
  name: string;
  /** Index of the parent joint; -1 for the root. */
  parent: number;
  /** Rest offset from the parent, metres, in the parent's frame. */
  offset: Vec3;
  /** Rig role such as left_hand, where the rig gives one. */
  role: string | null;
  /** End sites: tips of the leaf bones, metres, in the joint's frame. */
  ends: Vec3[];
}

/**
 * A round cone fixed to a joint: what is drawn (and later collided) as flesh.
 *
 * The cross-section is a circle unless `wide` stretches it along one axis of the joint's frame.
 */
export interface BodyShape {
  joint: number;
  kind: "torso" | "limb" | "head" | "hand" | "foot" | "prop";
  /** Centre of the first cap, metres, in the joint's frame. */
  start: Vec3;
  /** Centre of the second cap, metres, in the joint's frame. */
  end: Vec3;
  radius_start: number;
  radius_end: number;
  /** Unit axis (joint's frame) along which the cross-section is stretched, or none. */
  wide: Vec3 | null;
  /** Factor of that stretch; 1 is round. */
  stretch: number;
}

/** A point that rides on a joint and has a meaning: a cup, a mouth, a club head. */
export interface NamedPoint {
  name: string;
  joint: number;
  /** Metres, in the joint's frame. */
  offset: Vec3;
}

/** An end-effector rests on something from the first to the last frame, both included. */
export interface ContactInterval {
  role: string;
  first: number;
  last: number;
}

/** One motion on one figure. */
export interface TakePayload {
  name: string;
  frame_rate: number;
  frames: number;
  /** Every how many of the take's own frames one is told; 1 unless it is too long for a page. */
  every: number;
  /** Of the figure at rest, metres. */
  height: number;
  /** World height of the ground that the figure stands on, metres. */
  ground: number;
  /** Level world direction the figure faces at its first frame, unit. */
  facing: Vec3;
  /** Direction the face looks in, unit, in the frame of the joint with the role head. */
  face: Vec3 | null;
  joints: JointInfo[];
  shapes: BodyShape[];
  points: NamedPoint[];
  contacts: ContactInterval[];
  /** float32 (frames, 3): world position of the root joint, metres. */
  root: string;
  /** float32 (frames, joints, 4): local rotation x, y, z, w. */
  rotations: string;
  /** float32 (frames, joints, 3): added to the joints' offsets, metres; none if rigid. */
  translations: string | null;
}

/** What the self-contained page plays: the takes, of which the second and later are ghosts. */
export interface PagePayload {
  version: number;
  title: string;
  takes: TakePayload[];
}

/** A line of the Studio's list of takes. */
export interface TakeSummary {
  id: string;
  name: string;
  source: "sample" | "file";
  /** What a built-in take shows; where a file lies. */
  description: string;
  /** Whether it is made by options that can be changed. */
  has_options: boolean;
}

/** GET /api/takes. */
export interface TakeList {
  takes: TakeSummary[];
}

/** POST /api/takes: what came of files that were dropped together. */
export interface DropAnswer {
  takes: TakeSummary[];
  /** Why a file is not among them, for a person. */
  problems: string[];
}

/** What was recognised of a figure. */
export interface RigFacts {
  /** How many joints have a meaning. */
  roles: number;
  /** Arms and legs found: left_arm, …. */
  limbs: string[];
  /** 0 to 1: how sure the recognition is. */
  confidence: number;
}

/** GET /api/takes/{id}: a take, ready to be played, and what is known about it. */
export interface OpenedTake {
  id: string;
  take: TakePayload;
  rig: RigFacts;
  /** What the reader had to guess or mend, for a person. */
  notes: string[];
}

/** GET /api/status: how far the kernels are compiled. */
export interface KernelState {
  version: string;
  compiled: number;
  /** How many there are; 0 until that is known. */
  kernels: number;
  /** The one being compiled, empty before the first; none when all are done, or on failure. */
  compiling: string | null;
}

/** The body of every error answer. */
export interface Problem {
  /** What went wrong and what to try, for a person. */
  message: string;
}
