import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { executable, run } from '../support/program.ts'
import { hasTerminals } from '../support/pseudoTerminal.ts'

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

describe('the options of commands', () => {
  it('can precede the command', async () => {
    const { code, stdout } = await run(['-o', 'json', '--quiet', 'commands', '--columns', 'name'])
    expect([code, JSON.parse(stdout)[0]]).toEqual([0, { name: 'init' }])
    const missing = await run(['--profile', 'nosuch', 'flags', 'list', '-o', 'table'])
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('nosuch')])
    const { stdout: help } = await run(['--project', 'shop', 'help', 'flags', 'list'])
    expect(help).toContain('Usage: burgee flags list')
  })

  it.each([
    [['--project', 'shop', 'whoami'], 'burgee whoami does not take --project'],
    [['--project', 'shop'], 'a command is missing'],
    [['--project'], "option '-p, --project <key>' argument missing"]
  ])('are refused in %j', async (words, message) => {
    const { code, stderr } = await run(words, { BURGEE_OUTPUT: 'table' })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it.each(['logout', 'whoami', 'flags list', 'apply'])(
    'are printed before those that all commands share: %s',
    async (command) => {
      const { stdout } = await run([...command.split(' '), '--help'])
      const groups = [...stdout.matchAll(/^(Options|Output and connection):\n((?: {2}.*\n)+)/gm)]
      expect(groups.at(-1)?.[1]).toBe('Output and connection')
      expect(groups.at(-1)?.[2]).toMatch(/\n {2}-h, --help +Print this text\.\n$/)
      expect(stdout.match(/^ {2}-h, --help/gm)).toHaveLength(1)
    }
  )
})

describe('help of lists', () => {
  it('says what their default limit is', async () => {
    const { stdout } = await run(['variables', 'list', '--help'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '--limit <number> Stop after this many items. 0 fetches all pages. (default: all)'
    )
  })
})

describe.skipIf(!hasTerminals)('help in a terminal (needs script of util-linux)', () => {
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
