import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { MessagePort } from 'node:worker_threads'
import { writeFileAtomic } from '@burgee/kit/files'
import { replayCommits } from './replayCommits.ts'
import type { CompactionInput, CompactionMessage, CompactionPermission } from './runCompaction.ts'
import { formatDocument, parseDocument } from './storeDocument.ts'

/** The work of the thread that `runCompaction` starts: replaces a document by one that contains its commits. */
export async function compact({ path, revision, newest }: CompactionInput, port: MessagePort): Promise<void> {
  const send = (message: CompactionMessage) => port.postMessage(message)
  const snapshot = parseDocument(path, await readFile(path), newest)
  const { document } = await replayCommits(path, snapshot, revision)
  const text = formatDocument(document)
  const beforeRename = async () => {
    const answered = once(port, 'message')
    send({ type: 'written' })
    // The only message to this thread.
    const [{ refusal }] = (await answered) as [CompactionPermission]
    if (refusal !== undefined) throw new Error(refusal)
  }
  await writeFileAtomic(path, text, { beforeRename })
  send({ type: 'replaced', bytes: text.length })
}
