import { describe, expect, it } from "vitest";
import { counted, frameAt, parseReadout, placeOf, readout, speedName, tickStep, ticks } from "../src/ui/timeMath";

describe("places on the track", () => {
  it("go back and forth", () => {
    for (const frame of [0, 1, 131, 262]) expect(frameAt(placeOf(frame, 263), 263)).toBe(frame);
  });
  it("are within it, whatever the pointer does", () => {
    expect([frameAt(-2, 263), frameAt(7, 263)]).toEqual([0, 262]);
  });
  it("exist for a take of one frame", () => {
    expect([placeOf(0, 1), frameAt(0.7, 1)]).toEqual([0, 0]);
  });
});

describe("ticks", () => {
  it("stand far enough apart to be read, at any length and width", () => {
    for (const frames of [2, 10, 263, 3000, 123_456]) {
      for (const width of [300, 1200, 3800]) {
        const step = tickStep(frames, width, 46);
        expect((step * width) / (frames - 1)).toBeGreaterThanOrEqual(46);
        expect(ticks(frames, 120, width, false).length).toBeLessThan(width / 46 + 2);
      }
    }
  });
  it("are round numbers from zero", () => {
    expect(ticks(263, 120, 1200, false).slice(0, 3).map((t) => t.text)).toEqual(["0", "20", "40"]);
    expect(ticks(301, 100, 600, true).map((t) => t.text)).toEqual(["0.0s", "0.5s", "1.0s", "1.5s", "2.0s", "2.5s", "3.0s"]);
    expect(ticks(3601, 30, 600, true).map((t) => t.text)).toEqual(["0s", "15s", "30s", "45s", "1:00", "1:15", "1:30", "1:45", "2:00"]);
  });
  it("are none for a still", () => {
    expect(ticks(1, 30, 600, true)).toEqual([]);
  });
});

describe("the readout", () => {
  it("says frames or seconds", () => {
    expect([readout(142, 120, false), readout(142, 120, true)]).toEqual(["142", "1.183 s"]);
  });
  it("understands what a person types", () => {
    expect(parseReadout("142", 120, false)).toBe(142);
    expect(parseReadout(" 1.5 s", 120, false)).toBe(180);
    expect(parseReadout("1,5", 120, true)).toBe(180);
    expect(parseReadout("30f", 120, true)).toBe(30);
    for (const text of ["", "abc", "-3", "1e9x", "."]) expect(parseReadout(text, 120, false)).toBeNull();
  });
});

it("names speeds and counts as people do", () => {
  expect([speedName(0.125), speedName(1), counted(1, "frame"), counted(2752, "frame")]).toEqual(["⅛×", "1×", "1 frame", "2,752 frames"]);
});
