import { describe, expect, it } from "vitest";
import { inBatches, inWords } from "../src/studio/dropped";

const file = (path: string, size: number) => ({ path, file: { size } as File });

describe("a drop", () => {
  it("goes in portions that the server takes, what belongs together together", () => {
    const { batches, tooLarge } = inBatches([file("b.amc", 40), file("10.bvh", 60), file("9.bvh", 30), file("b.asf", 5), file("big.bvh", 101)], 100);
    expect(batches.map((batch) => batch.map(({ path }) => path))).toEqual([["9.bvh", "10.bvh"], ["b.amc", "b.asf"]]);
    expect(tooLarge.map(({ path }) => path)).toEqual(["big.bvh"]);
  });
  it("of nothing is nothing", () => {
    expect(inBatches([], 100)).toEqual({ batches: [], tooLarge: [] });
  });
  it("is named by its one file, or by how many there are", () => {
    expect([inWords([file("a.bvh", 1)]), inWords([file("a.bvh", 1), file("b.bvh", 1)])]).toEqual(["a.bvh", "2 files"]);
  });
});
