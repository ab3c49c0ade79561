import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'
import { FLAGS } from './devProcess.ts'

let server: TestServer
let environment: Readonly<Record<string, string>>
let folder: string

beforeAll(async () => {
  server = await serve({ environments: { development: {} }, features: [{ key: 'plain' }] })
})

beforeEach(async () => {
  folder = await makeFolder()
  environment = {
    BURGEE_URL: server.url,
    BURGEE_TOKEN: await tokenOf(server),
    BURGEE_CONFIG_DIR: join(folder, 'config')
  }
  await writeFile(join(folder, 'flags.yaml'), FLAGS)
})

/** Runs a command line on a terminal. `FOLDER` stands for the folder of the files. */
async function runLine(line: string): ReturnType<typeof runHere> {
  const args = line.split(' ').map((word) => word.replaceAll('FOLDER', folder))
  const { code, stdout, stderr } = await runHere(args, environment, { isTerminal: true })
  const clean = (text: string) => text.replaceAll(folder, 'FOLDER').replaceAll(server.url, 'SERVER')
  return { code, stdout: clean(stdout), stderr: clean(stderr) }
}

async function usePort(): Promise<number> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void other.close())
  return (other.address() as AddressInfo).port
}

describe('burgee dev does not start', () => {
  it.each([
    [
      'with an environment that the files do not describe',
      'FOLDER/flags.yaml -e develpment',
      'the files describe no environment "develpment" (did you mean development?): pass --environment, one of development, production'
    ],
    ['with a folder that does not exist', 'FOLDER/missing', 'there is no file or folder FOLDER/missing'],
    [
      'with files and --offline',
      'FOLDER/flags.yaml --offline',
      '--offline applies to the config of a server: leave it out, since files need no server'
    ],
    [
      'without a saved config and --offline',
      '--project shop -e development --offline',
      'there is no saved config of environment development of project shop on SERVER: run this command once without --offline while the server is available'
    ],
    ['without a project', '-e development', 'the project is missing: pass --project <key>'],
    ['with an override without a value', 'FOLDER/flags.yaml --override true', '--override cannot be "true"'],
    ['with a path as origin', 'FOLDER/flags.yaml --origin https://shop.test/cart', '--origin']
  ])('%s', async (_, line, message) => {
    expect(await runLine(`dev ${line} --port 0`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message)
    })
  })

  it.each([
    ['a project', '--project shp -e development', 'shp'],
    ['an environment', '--project shop -e develpment', 'develpment']
  ])('with %s that the server does not have', async (_, line, key) => {
    const { code, stderr } = await runLine(`dev ${line} --port 0`)
    expect([code, stderr]).toEqual([5, expect.stringContaining(`Item with key '${key}' not found`)])
  })

  it('on a port in use', async () => {
    const port = await usePort()
    expect(await runLine(`dev FOLDER/flags.yaml -e development --overrides FOLDER/o.yaml --port ${port}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `burgee: cannot listen on port ${port}: it is in use; choose another one with --port\n`
    })
  })

  it.each([
    ['variables: [a]', 'o.yaml:1:12: variables'],
    ['feature: {}', 'o.yaml:1:10: feature is not known (did you mean features?)'],
    ['features: { a: true }', 'o.yaml:1:16: features.a should be the key of a variation'],
    ['users: { ada: { variables: {} } }', 'o.yaml:1:28: users.ada.variables is not known']
  ])('with the overrides %j', async (text, message) => {
    await writeFile(join(folder, 'o.yaml'), text)
    const { code, stderr } = await runLine('dev FOLDER/flags.yaml -e development --overrides FOLDER/o.yaml --port 0')
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('with a feature that the management API would refuse, whose place it reports', async () => {
    await writeFile(join(folder, 'flags.yaml'), FLAGS.replace('steps: 2', 'steps: two'))
    const { code, stderr } = await runLine('dev FOLDER/flags.yaml -e development --overrides FOLDER/o.yaml --port 0')
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/FOLDER\/flags\.yaml:5:5: features\.new-checkout .*steps/)
    ])
  })
})

describe('burgee dev set, unset and list', () => {
  const file = () => readFile(join(folder, 'new', 'o.yaml'), 'utf8')

  it('write overrides, and keep the comments of the file', async () => {
    expect(await runLine('dev set steps 7 --overrides FOLDER/new/o.yaml')).toMatchObject({
      code: 0,
      stdout: 'FOLDER/new/o.yaml: steps is 7\n'
    })
    await runLine('dev set title 5%off --overrides FOLDER/new/o.yaml')
    expect(await file()).toBe('variables:\n  steps: 7\n  title: 5%off\n')
    await writeFile(join(folder, 'new', 'o.yaml'), `# Mine.\n${await file()}users: { ada: { features: { a: b } } }\n`)
    await runLine('dev unset steps --overrides FOLDER/new/o.yaml')
    expect(await file()).toBe('# Mine.\nvariables:\n  title: 5%off\nusers: { ada: { features: { a: b } } }\n')
    const list = await runLine('dev list --overrides FOLDER/new/o.yaml --json')
    expect(JSON.parse(list.stdout)).toEqual([
      { kind: 'variable', key: 'title', value: '5%off' },
      { kind: 'feature', key: 'a', value: 'b', user: 'ada' }
    ])
  })

  it('keep a file that has only a comment', async () => {
    await mkdir(join(folder, 'new'))
    await writeFile(join(folder, 'new', 'o.yaml'), '# Mine.\n')
    await runLine('dev set steps 7 --overrides FOLDER/new/o.yaml')
    expect(await file()).toBe('# Mine.\n\nvariables:\n  steps: 7\n')
  })

  it('offer the nearest override', async () => {
    await runLine('dev set steps 7 --overrides FOLDER/new/o.yaml')
    expect(await runLine('dev unset step --overrides FOLDER/new/o.yaml')).toMatchObject({
      code: 5,
      stderr: 'burgee: FOLDER/new/o.yaml has no override of "step" (did you mean steps?)\n'
    })
  })
})
