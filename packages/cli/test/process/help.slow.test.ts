import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { executable, run } from '../support/program.ts'

describe('an unknown command', () => {
  it.each([
    ['rollot new-checkout --to 20', 'rollout'],
    ['flgs list -p demo', 'flags'],
    ['flgs --help', 'flags'],
    ['help flgs', 'flags'],
    ['--help flgs', 'flags'],
    ['flags shw new-checkout --debug', 'show'],
    ['flags shw --help', 'show'],
    ['help flags shw', 'show']
  ])('is reported with the nearest one: burgee %s', async (line, nearest) => {
    const { code, stdout, stderr } = await run([...line.split(' '), ...(/help/.test(line) ? [] : ['-o', 'table'])])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`(did you mean ${nearest}?)`)
  })

  it('is not searched for after an unknown option, whose value it can be', async () => {
    const { code, stderr } = await run(['--prject', 'shop', 'flags', 'list', '-o', 'table'])
    expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '--prject'")])
  })
})

describe('help of lists', () => {
  it('says what their default limit is', async () => {
    const { stdout } = await run(['variables', 'list', '--help'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '--limit <number> Stop after this many items. 0 fetches all pages. (default: all)'
    )
  })
})

/** `script` of util-linux runs a command in a terminal. */
const hasScript = spawnSync('script', ['--version']).status === 0

describe.skipIf(!hasScript)('help in a terminal', () => {
  it.each([
    ['clients update', 80],
    ['clients update', 60],
    ['clients update', 40],
    ['login', 40],
    ['', 60]
  ])('of burgee %s fits %i columns', async (command, columns) => {
    const line = `stty cols ${columns}; '${process.execPath}' '${executable}' ${command} --help`
    const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'])
    const lines = stdout.split(/\r?\n/)
    expect(lines.length).toBeGreaterThan(20)
    // Commands, and words that are longer than the line, stay whole.
    const long = lines.filter(
      (text) => text.length > columns && !/^(Usage:| ) *burgee /.test(text) && /\S\s+\S/.test(text)
    )
    expect(long).toEqual([])
  })
})
