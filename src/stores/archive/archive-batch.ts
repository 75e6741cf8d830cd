/** Adds the records of one batch to the archive: a file for each partition. */
import type { SealedRecord } from "../../ports/audit-record.ts";
import { folderOf, INCOMING, partitionOf } from "./archive-files.ts";
import { writeParquet } from "./parquet-records.ts";

/** @param name of the files: another one for each batch; names sort by time. */
export async function archiveBatch(
  bucket: Pick<R2Bucket, "put">,
  records: readonly SealedRecord[],
  { groups, name }: { readonly groups: number; readonly name: string },
): Promise<void> {
  const byFolder = Map.groupBy(records, ({ record }) => folderOf(partitionOf(record, groups)));
  for (const [folder, some] of byFolder)
    await bucket.put(`${INCOMING}${folder}${name}.parquet`, await writeParquet(some));
}
