import { expect, onTestFinished, test } from 'vitest'
import { parseOptions } from '../../src/cli/options.ts'
import { startServer } from '../../src/server.ts'

test('the history of a new demo is in the results, and not in the metrics of the server', async () => {
  const flags = ['--demo', '--store', 'memory:', '--port', '0', '--log-level', 'silent']
  const server = await startServer(parseOptions(flags, {}))
  onTestFinished(() => server.close())
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('# TYPE burgee_evaluations_total counter')
  expect(metrics).not.toMatch(/^burgee_evaluations_total\{/m)
  expect(metrics).toContain('burgee_event_store_append_duration_seconds_count{outcome="kept"} 0')
})
