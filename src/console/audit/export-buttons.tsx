/** Buttons that save the records of the view as a file. */
import { useSignal } from "@preact/signals";
import type { Failure } from "../api/call.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote } from "../shell/page-parts.tsx";
import { type Format, fileOf, MAX_RECORDS, readAll } from "./export-records.ts";
import { texts } from "./texts.ts";
import type { View } from "./view.ts";

const FORMATS: Readonly<Record<Format, string>> = { csv: "CSV", ndjson: "NDJSON", parquet: "Parquet" };

export function ExportButtons({ view }: { readonly view: View }) {
  const progress = useSignal<number | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);

  async function take(format: Format): Promise<void> {
    if (progress.value !== undefined) return;
    progress.value = 0;
    failure.value = undefined;
    const read = await readAll(view, (count) => {
      progress.value = count;
    });
    progress.value = undefined;
    if (!read.ok) {
      failure.value = read.error;
      return;
    }
    download(await fileOf(read.value, format), `toolgate-${view.kind}.${format}`);
    announce(texts.exported(read.value.length, read.value.length >= MAX_RECORDS));
  }

  return (
    <div class="seal">
      <span class="hint" role="status">
        {progress.value === undefined ? texts.export : texts.exporting(progress.value)}
      </span>
      <span class="segments">
        {(Object.keys(FORMATS) as Format[]).map((format) => (
          <button key={format} type="button" onClick={() => void take(format)}>
            {FORMATS[format]}
          </button>
        ))}
      </span>
      {failure.value && <FailureNote failure={failure.value} />}
    </div>
  );
}

function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
