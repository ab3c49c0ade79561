import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { options } from '@burgee/testing/harness'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { executable, makeFolder } from '../support/program.ts'
import { hasTerminals, runInTerminal } from '../support/pseudoTerminal.ts'
import { openShop, type Shop } from '../support/shop.ts'

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let shop: Shop

beforeAll(async () => {
  shop = await openShop({ features: [{ key: 'search', targets: [{ serves: { 'variation-on': 1 } }] }] })
})

const statusInProduction = async () => {
  const { configurations } = await shop.ask('getFeature', { params: { feature: 'search' } })
  const { _id } = await shop.ask('getEnvironment', { params: { key: 'production' } })
  return configurations.find(({ _environment }: { _environment: string }) => _environment === _id).status
}

describe.skipIf(!hasTerminals)('a change of production in a terminal (needs script of util-linux)', () => {
  beforeEach(async () => {
    await shop.run('flags on search --environment production --yes')
    expect(await statusInProduction()).toBe('active')
  })

  const switchOff = async () => {
    const terminal = await runInTerminal(['flags', 'off', 'search', '-e', 'production'], shop.environment)
    await terminal.shows('(y/N) ')
    return terminal
  }

  it('shows the effect, and is made after y', async () => {
    const terminal = await switchOff()
    expect(terminal.screen()).toContain('search in production:')
    terminal.type('y\r')
    expect([await terminal.code(), await statusInProduction()]).toEqual([0, 'inactive'])
  })

  it.each([
    ['n', 'n\r', 11, 'nothing was changed: not confirmed'],
    ['Enter alone', '\r', 11, 'nothing was changed: not confirmed'],
    ['another word', 'yeah\r', 11, 'nothing was changed: not confirmed'],
    ['Ctrl-D', '\x04', 11, 'nothing was changed: the question was not answered'],
    ['Ctrl-C', '\x03', 130, '']
  ])('is not made after %s', async (_, keys, code, message) => {
    const terminal = await switchOff()
    terminal.type(keys)
    expect([await terminal.code(), await statusInProduction()]).toEqual([code, 'active'])
    await terminal.shows(message)
  })

  it('is not made if the terminal is closed', async () => {
    const terminal = await switchOff()
    terminal.close()
    // Node.js aborts (134) if it finds no terminal any more whose mode it can restore.
    expect([129, 134]).toContain(await terminal.code())
    expect(await statusInProduction()).toBe('active')
  })
})

describe.skipIf(!hasTerminals)('burgee login in a terminal (needs script of util-linux)', () => {
  const login = ['login', '--as-client', '--client-id', options.adminClientId]

  it('asks for the secret of an API client, and does not show it', async () => {
    const folder = await makeFolder()
    const environment = { BURGEE_CONFIG_DIR: folder, BURGEE_URL: shop.server.url }
    const terminal = await runInTerminal(login, environment)
    await terminal.shows(`Secret of API client ${options.adminClientId}: `)
    terminal.type(`${options.adminClientSecret}\r`)
    expect(await terminal.code()).toBe(0)
    expect(terminal.screen()).not.toContain(options.adminClientSecret)
    expect(await readFile(join(folder, 'credentials.json'), 'utf8')).toContain(options.adminClientSecret)
  })

  it('stores nothing after Ctrl-C', async () => {
    const folder = await makeFolder()
    const terminal = await runInTerminal(login, { BURGEE_CONFIG_DIR: folder, BURGEE_URL: shop.server.url })
    await terminal.shows('Secret of API client')
    terminal.type('half\x03')
    expect(await terminal.code()).toBe(130)
    expect(terminal.screen()).not.toContain('half')
    await expect(readFile(join(folder, 'credentials.json'))).rejects.toThrow('ENOENT')
  })
})

describe('a broken pipe', () => {
  it.each(['flags list -o table', 'flags list -o jsonl', 'commands --json'])('ends burgee %s with 0', async (line) => {
    const command = `set -o pipefail; '${process.execPath}' '${executable}' ${line} | head -n 1`
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', command], {
      env: { PATH: process.env.PATH, ...shop.environment }
    })
    expect([stdout.trim().split('\n').length, stderr]).toEqual([1, ''])
  })
})
