import { Worker } from 'node:worker_threads'

/** The input of a compaction. */
export interface CompactionInput {
  /** The path of the document. */
  readonly path: string
  /** The last commit that the new document contains. */
  readonly revision: number
  /** The schema version of the document. */
  readonly newest: number
}

/** A message of the thread: the new document is on the disk, or in place. */
export type CompactionMessage = { readonly type: 'written' } | { readonly type: 'replaced'; readonly bytes: number }

/** The reply to `written`. */
export interface CompactionPermission {
  /** Why the document must not be replaced. */
  readonly refusal?: string
}

/**
 * Compacts in a thread, so that the event loop is not held. The thread works on the files: it needs neither the state in
 * memory nor keys. Returns the length of the new document.
 * @param beforeReplace Runs right before the document is replaced.
 */
export function runCompaction(
  program: URL,
  input: CompactionInput,
  beforeReplace: () => Promise<void>
): Promise<number> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, { workerData: input, env: {} })
    const permit = (permission: CompactionPermission) => thread.postMessage(permission)
    thread.on('message', (message: CompactionMessage) => {
      if (message.type === 'replaced') resolve(message.bytes)
      else
        beforeReplace().then(
          () => permit({}),
          (error) => permit({ refusal: String(error) })
        )
    })
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread that compacts ended early')))
  })
}
