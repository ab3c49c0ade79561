import type { ParsedRecord } from './transferRecord.ts'

/** The target of an import. */
export interface RecordSink {
  /** Stores records in the order of an export. Resolves when more can be written. */
  write(parsed: ParsedRecord): Promise<void>
  /** Makes the store complete. */
  finish(): Promise<void>
  /** Closes files and connections, and removes what an unfinished import left, unless it can be continued. */
  close(): Promise<void>
}
