import { openStore } from '../../../src/storage/open/openStore.ts'
import { testAuditEntry, testId } from '../conformance/fixtures.ts'

/**
 * Adds audit entries to the store of a directory until the system refuses to grow a file, and prints how many were
 * added, the number of all entries that can be read, and the notices.
 */
const notices: string[] = []
const store = await openStore(`file:${process.argv[2]}`, { onNotice: (message) => notices.push(message) })
const entries = store.collection('auditEntries')
const newContents = { name: 'x'.repeat(10_000) }
let added = 0
try {
  while (added < 100) {
    const changes = [{ type: 'modifiedFeature' as const, newContents, previousContents: null }]
    await entries.insert(testAuditEntry({ _id: testId(1_000 + added), changes }))
    added++
  }
} catch {
  // The disk is full.
}
const { items } = await entries.list()
const whole = items.filter(({ changes }) => changes[0]?.newContents?.name === newContents.name).length
process.stdout.write(JSON.stringify({ added, whole, notices }))
await store.close()
