import { describe, expect, it } from "vitest";
import { emptyPlayback, playback, wholeFrame, type Playback, type PlaybackAction } from "../src/state/playback";

const loaded = playback(emptyPlayback, { type: "load", frames: 100, rate: 50 });
const run = (state: Playback, ...actions: PlaybackAction[]): Playback => actions.reduce(playback, state);

describe("playing", () => {
  it("moves by time, rate and speed", () => {
    const state = run(loaded, { type: "play" }, { type: "speed", to: 0.5 }, { type: "tick", seconds: 0.5 });
    expect(state.frame).toBeCloseTo(12.5);
    expect(wholeFrame(state)).toBe(12);
  });
  it("shows the last frame as long as any other before it loops", () => {
    const state = run(loaded, { type: "scrub", frame: 98 }, { type: "play" }, { type: "tick", seconds: 1.5 / 50 });
    expect(wholeFrame(state)).toBe(99);
    expect(run(state, { type: "tick", seconds: 1 / 50 }).frame).toBeCloseTo(0.5);
  });
  it("survives a tick longer than the whole range", () => {
    const state = run(loaded, { type: "setRange", first: 10, last: 19 }, { type: "play" }, { type: "tick", seconds: 33.1 / 50 });
    expect(state.frame).toBeCloseTo(10 + (33.1 % 10));
  });
  it("stops at the end when it does not loop, and begins again from there", () => {
    const state = run(loaded, { type: "loop", on: false }, { type: "play" }, { type: "tick", seconds: 10 });
    expect(state).toMatchObject({ frame: 99, playing: false });
    expect(run(state, { type: "play" })).toMatchObject({ frame: 0, playing: true });
  });
  it("rests on a whole frame when it is paused", () => {
    const state = run(loaded, { type: "play" }, { type: "tick", seconds: 0.03 }, { type: "play" });
    expect(state).toMatchObject({ frame: 2, playing: false });
  });
  it("does not move while paused, nor play a take of one frame", () => {
    expect(run(loaded, { type: "tick", seconds: 1 })).toBe(loaded);
    expect(run(emptyPlayback, { type: "load", frames: 1, rate: 30 }, { type: "play" }).playing).toBe(false);
  });
});

describe("scrubbing and stepping", () => {
  it("stays inside the take", () => {
    expect(run(loaded, { type: "scrub", frame: 1e6 }).frame).toBe(99);
    expect(run(loaded, { type: "step", frames: -10 }).frame).toBe(0);
  });
  it("goes on playing after a scrub, pauses on a step", () => {
    const playing = run(loaded, { type: "play" });
    expect(run(playing, { type: "scrub", frame: 7 })).toMatchObject({ frame: 7, playing: true });
    expect(run(playing, { type: "tick", seconds: 0.05 }, { type: "step", frames: 1 })).toMatchObject({ frame: 3, playing: false });
  });
});

describe("the range", () => {
  it("may be given the wrong way round", () => {
    expect(run(loaded, { type: "setRange", first: 60, last: 20 })).toMatchObject({ first: 20, last: 60 });
  });
  it("is set from where one is, and opens again when its other edge is passed", () => {
    const state = run(loaded, { type: "scrub", frame: 30 }, { type: "rangeEdge", edge: "last" });
    expect(state).toMatchObject({ first: 0, last: 30 });
    expect(run(state, { type: "scrub", frame: 50 }, { type: "rangeEdge", edge: "first" })).toMatchObject({ first: 50, last: 99 });
    expect(run(state, { type: "wholeRange" })).toMatchObject({ first: 0, last: 99 });
  });
  it("is where playing begins when one stands outside it", () => {
    const state = run(loaded, { type: "setRange", first: 40, last: 60 }, { type: "play" });
    expect(state.frame).toBe(40);
  });
});

describe("another take", () => {
  it("keeps the second, whatever its rate", () => {
    const state = run(loaded, { type: "scrub", frame: 50 }, { type: "load", frames: 200, rate: 100, keepTime: true });
    expect(state).toMatchObject({ frame: 100, frames: 200, first: 0, last: 199 });
  });
  it("begins anew otherwise", () => {
    expect(run(loaded, { type: "scrub", frame: 50 }, { type: "load", frames: 10, rate: 30 }).frame).toBe(0);
  });
});

it("steps through the speeds and stops at the ends", () => {
  const slowest = run(loaded, ...Array.from({ length: 9 }, () => ({ type: "faster", by: -1 }) as const));
  expect(slowest.speed).toBe(0.125);
  expect(run(slowest, { type: "faster", by: 1 }).speed).toBe(0.25);
});
