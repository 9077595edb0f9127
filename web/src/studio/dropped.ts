/** A file, and where it lay in what was dropped: "walks/slow.bvh". */
export interface DroppedFile {
  readonly file: File;
  readonly path: string;
}

const MOST_FILES = 1000;

/** The files of a drop, those in its folders too. Must be called while the event is being handled. */
export async function filesOf(transfer: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...transfer.files].map((file) => ({ file, path: file.name }));
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found: DroppedFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, "", found);
  return found;
}

async function walk(entry: FileSystemEntry, folder: string, found: DroppedFile[]): Promise<void> {
  if (found.length >= MOST_FILES || entry.name.startsWith(".")) return;
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ file, path });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives its entries in portions, an empty one at the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (portion.length === 0) return;
    for (const inner of portion) await walk(inner, `${path}/`, found);
  }
}

export interface Batches {
  readonly batches: readonly (readonly DroppedFile[])[];
  readonly tooLarge: readonly DroppedFile[];
}

/** Files in portions that a server takes, in the order of their names, so that what belongs together stays so. */
export function inBatches(files: readonly DroppedFile[], mostBytes: number): Batches {
  const batches: DroppedFile[][] = [];
  const tooLarge: DroppedFile[] = [];
  let room = -1;
  for (const dropped of [...files].sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }))) {
    if (dropped.file.size > mostBytes) {
      tooLarge.push(dropped);
      continue;
    }
    if (dropped.file.size > room || batches.at(-1)!.length >= MOST_FILES) {
      batches.push([]);
      room = mostBytes;
    }
    batches.at(-1)!.push(dropped);
    room -= dropped.file.size;
  }
  return { batches, tooLarge };
}

/** "walk.bvh", or "12 files". */
export function inWords(files: readonly DroppedFile[]): string {
  return files.length === 1 ? files[0].path : `${files.length} files`;
}
