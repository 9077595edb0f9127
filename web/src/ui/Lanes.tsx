import { useMemo } from "react";
import type { Clip } from "../motion/clip";
import { contactLanes } from "../motion/contacts";
import { spoken } from "../motion/figure";
import { placeOf } from "./timeMath";

/** When feet and hands touch: one thin lane each, under the track. */
export function Lanes({ clip }: { clip: Clip }) {
  const lanes = useMemo(() => contactLanes(clip.contacts), [clip]);
  if (lanes.length === 0) return null;
  return (
    <div className="lanes" role="list" aria-label="Contacts">
      {lanes.map(({ role, intervals }) => (
        <div key={role} className={`lane ${role.split("_")[0]}`} role="listitem" aria-label={`${spoken(role)}: ${intervals.length} contacts`}>
          {intervals.map(({ first, last }) => {
            const left = placeOf(first, clip.frames);
            return (
              <i
                key={first}
                style={{ left: `${left * 100}%`, width: `${Math.max(placeOf(last, clip.frames) - left, 0.001) * 100}%` }}
                title={`${spoken(role)} in contact, frames ${first}–${last}`}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
