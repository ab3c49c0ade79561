// Tests the files of deploy/ with the programs they are written for. What is not installed is skipped, and named.
//
//   npm run test:deploy -- [nginx|caddy|haproxy|files …]
import { testFiles } from './files.mjs'
import { testProxies } from './proxies.mjs'

const counts = { passed: 0, failed: 0, skipped: 0 }
const report = {
  check: async (title, test) => {
    try {
      await test()
      counts.passed++
      console.log(`ok    ${title}`)
    } catch (error) {
      counts.failed++
      console.log(`FAIL  ${title}\n      ${error.message.split('\n').join('\n      ')}`)
    }
  },
  skip: (title, reason) => {
    counts.skipped++
    console.log(`skip  ${title}: ${reason}`)
  }
}
const chosen = process.argv.slice(2)
const isChosen = (name) => chosen.length === 0 || chosen.includes(name)
if (isChosen('files')) await testFiles(report)
await testProxies(report, isChosen)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed > 0 ? 1 : 0)
