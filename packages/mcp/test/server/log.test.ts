import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/executable/log.ts'

function logged(isVerbose: boolean) {
  const lines: string[] = []
  return { lines, log: createLog({ write: (line) => void lines.push(line), now: () => 0, isVerbose }) }
}

describe('the log', () => {
  it('has one line of JSON per entry', () => {
    const { lines, log } = logged(false)
    log.info({ tool: 'list_features', ms: 7 }, 'tool call completed')
    log.debug({}, 'nobody asked')
    expect(lines).toEqual([
      '{"level":"info","time":"1970-01-01T00:00:00.000Z","message":"tool call completed","tool":"list_features","ms":7}\n'
    ])
  })

  it('writes debug entries if it is verbose', () => {
    const { lines, log } = logged(true)
    log.debug({}, 'details')
    expect(lines).toHaveLength(1)
  })

  it('escapes control characters in names', () => {
    const { lines, log } = logged(false)
    log.info({ assistant: 'a\n\u009b2J\u202eb\u2028' }, 'tool call completed')
    expect(lines[0]).toContain(String.raw`a\n\u009b2J\u202eb\u2028`)
    expect(JSON.parse(lines[0] ?? '').assistant).toBe('a\n\u009b2J\u202eb\u2028')
  })

  it('omits the cause of an error if it is a response', () => {
    const { lines, log } = logged(false)
    log.error({ err: new Error('it broke', { cause: { access_token: 'a-secret' } }) }, 'tool failed unexpectedly')
    expect(lines[0]).not.toContain('a-secret')
  })

  it('has the name, message, stack and cause of an error', () => {
    const { lines, log } = logged(false)
    log.error({ err: new Error('it broke', { cause: new TypeError('because') }) }, 'tool failed unexpectedly')
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      message: 'it broke',
      stack: expect.stringContaining('log.test.ts'),
      cause: { name: 'TypeError', message: 'because' }
    })
  })
})
