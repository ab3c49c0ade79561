import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../src/program.ts'
import { makeFolder, runHere } from '../support/program.ts'

let server: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serve({ environments: { production: {}, development: {} }, features: [{ key: 'banner' }] })
  const development = { params: { project: 'shop', key: 'development' }, body: { type: 'development' } }
  await call(server, 'updateEnvironment', development)
  environment = {
    BURGEE_URL: server.url,
    BURGEE_TOKEN: await tokenOf(server),
    BURGEE_CONFIG_DIR: await makeFolder()
  }
})

const withProject = (): Readonly<Record<string, string>> => ({
  ...environment,
  BURGEE_PROJECT: 'shop',
  BURGEE_ENVIRONMENT: 'production'
})

function run(line: string, given = withProject(), person: Parameters<typeof runHere>[2] = {}) {
  return runHere(line.split(' ').filter(Boolean), given, { isTerminal: true, now: () => NOW, ...person })
}

describe('burgee alone', () => {
  it('shows a person the jobs and how to sign in', async () => {
    const { code, stdout, stderr } = await run('', { BURGEE_CONFIG_DIR: await makeFolder() })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('  Change flags       flags, rollout, serve, history, undo\n')
    expect(stdout).toContain('\nNext: burgee login --server https://flags.example.com\n')
    expect(stdout).toContain('burgee <command> --help')
  })

  it('names the server and the next command to a person who is signed in', async () => {
    expect((await run('')).stdout).toContain(`\nServer: ${server.url}, project shop\nNext: burgee flags list\n`)
  })

  it('is a mistake of a program', async () => {
    const { code, stdout, stderr } = await run('', withProject(), { isTerminal: false })
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr).error.message).toBe('a command is missing: burgee --help lists the commands')
  })
})

describe('burgee --help', () => {
  it('lists every command below a heading, within 80 columns', async () => {
    const { stdout } = await run('--help')
    const words = new Set(createProgram().commands.map(({ name }) => name.split(' ')[0]))
    const listed = [...stdout.matchAll(/^ {2}([a-z][\w-]*)(?= |$)/gm)].map(([, word]) => word)
    expect(new Set(listed)).toEqual(words)
    expect(stdout).not.toContain('\nCommands:\n')
    expect(stdout).toContain('\nChange flags:\n  flags ')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

describe('burgee commands', () => {
  it('lists each command with its flags for programs', async () => {
    const { stdout } = await run('commands --json', {})
    const commands: { name: string; flags: { flag: string }[] }[] = JSON.parse(stdout)
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['commands', 'flags on', 'features create'])
    )
    const { flags = [] } = commands.find(({ name }) => name === 'flags on') ?? {}
    expect(flags).toContainEqual({ flag: '--yes', help: 'Do not ask for confirmation.' })
    expect(flags).toContainEqual(expect.objectContaining({ flag: '--environment', variable: 'BURGEE_ENVIRONMENT' }))
  })

  it('lists names and summaries for people', async () => {
    expect((await run('commands', {})).stdout).toMatch(/^burgee flags on +Turn a flag on in an environment\.$/m)
  })
})

describe('burgee init', () => {
  it('writes burgee.yaml, and shows how an application reads a flag', async () => {
    const directory = await makeFolder()
    const { code, stdout } = await run('init --types src/flags.ts', environment, { directory })
    expect(code).toBe(0)
    expect(stdout).toContain('Wrote burgee.yaml: project shop, environment development.\n')
    expect(stdout).toContain(`new BurgeeProvider({ url: '${server.url}', sdkKey: process.env.BURGEE_SDK_KEY })`)
    expect(await readFile(join(directory, 'burgee.yaml'), 'utf8')).toBe(
      '# What the command line of Burgee uses in this repository, for everyone.\nproject: "shop"\nenvironment: "development"\ntypes:\n  out: "src/flags.ts"\n'
    )
    const listed = await run('flags list', environment, { directory })
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('banner')])
  })

  it('asks for the environment again after a typing error', async () => {
    const questions: string[] = []
    const answers = ['prodction', 'production']
    const ask = async (question: string) => {
      questions.push(question)
      return answers.shift() ?? ''
    }
    const directory = await makeFolder()
    const { code, stdout, stderr } = await run('init --project shop', environment, { directory, ask })
    const question = 'Which environment: development, production? (development) '
    expect([code, questions]).toEqual([0, [question, question]])
    expect(stderr).toBe('There is no environment "prodction" (did you mean production?).\n')
    expect(stdout).toContain('Wrote burgee.yaml: project shop, environment production.\n')
  })

  it('keeps a file that exists', async () => {
    const directory = await makeFolder()
    await writeFile(join(directory, 'burgee.yaml'), 'project: other\n')
    const { code, stderr } = await run('init --project shop -e production', environment, { directory })
    expect([code, stderr]).toEqual([2, expect.stringContaining('burgee.yaml exists already')])
    expect(await readFile(join(directory, 'burgee.yaml'), 'utf8')).toBe('project: other\n')
  })
})

describe('burgee.yaml', () => {
  it('has the file of burgee types and the files of burgee plan, relative to its folder', async () => {
    const directory = await makeFolder()
    await mkdir(join(directory, 'apps/web'), { recursive: true })
    const settings = 'project: shop\ntypes: { out: src/flags.ts }\nstate: { files: [state] }\n'
    await writeFile(join(directory, 'burgee.yaml'), settings)
    const inside = { directory: join(directory, 'apps/web') }
    await mkdir(join(directory, '.git'))
    await mkdir(join(directory, 'src'))

    expect((await run('types', environment, inside)).code).toBe(0)
    expect(await readFile(join(directory, 'src/flags.ts'), 'utf8')).toMatch(/banner.*boolean/)
    expect((await run('types --check', environment, inside)).code).toBe(0)
    expect((await run('pull --split none', environment, inside)).code).toBe(0)
    expect((await run('plan', environment, inside)).stdout).toContain(
      'No changes: the project is as the files describe it.'
    )
    expect(await readdir(join(directory, 'state'))).toEqual(['project.yaml'])
  })
})

describe('burgee doctor', () => {
  const doctor = (given = withProject()) => run('doctor', given, { now: Date.now })

  it('finds no fault with a connection that works', async () => {
    const { code, stdout, stderr } = await doctor()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').map((line) => line.split('  ')[0])).toEqual([
      '✓ server',
      '✓ sign-in',
      '✓ version',
      '✓ clock',
      '✓ project',
      '✓ environment and SDK key',
      '✓ stream',
      ''
    ])
    expect(stdout).toContain('shop: you may read, change and publish its flags')
    expect(stdout).toContain('the server key of production evaluates flags')
  })

  it.each([
    [{ BURGEE_URL: 'http://127.0.0.1:9' }, /^✗ server +the server /m],
    [{ BURGEE_TOKEN: 'wrong' }, /^✗ sign-in +.*\n +If BURGEE_TOKEN or BURGEE_CLIENT_ID is set, check it/m],
    [{ BURGEE_PROJECT: 'shpo' }, /^✗ project +there is no project "shpo" that you can read \(did you mean shop\?\)/m],
    [{ BURGEE_ENVIRONMENT: 'staging' }, /^✗ environment and SDK key +.*staging/m]
  ])('says what to do with %j, and exits with 1', async (change, expected) => {
    const { code, stdout } = await doctor({ ...withProject(), ...change })
    expect([code, stdout]).toEqual([1, expect.stringMatching(expected)])
  })

  it('evaluates with a server key that is still usable', async () => {
    const params = { project: 'shop', environment: 'development' }
    await call(server, 'generateSdkKeys', { params, body: { server: true } })
    const { body } = await call(server, 'getEnvironment', { params: { project: 'shop', key: 'development' } })
    await call(server, 'invalidateSdkKey', { params: { ...params, key: body.sdkKeys.server.at(-1).key } })
    const { code, stdout } = await doctor({ ...withProject(), BURGEE_ENVIRONMENT: 'development' })
    expect([code, stdout]).toEqual([0, expect.stringContaining('the server key of development evaluates flags')])
  })

  it('does not count a missing environment as a fault', async () => {
    const { code, stdout } = await doctor({ ...withProject(), BURGEE_ENVIRONMENT: '' })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^✓ environment and SDK key +not checked without an/m)])
  })

  it('reports a clock that differs', async () => {
    const { code, stdout } = await run('doctor', withProject(), { now: () => Date.now() + 3_600_000 })
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^✗ clock +the clock of this computer is 36\d\d s ahead/m)
    ])
  })
})

describe('burgee watch', () => {
  it('refuses a flag that does not exist', async () => {
    const { code, stderr } = await run('watch baner')
    expect(code).toBe(5)
    expect(stderr).toMatch(/baner.*banner/s)
  })

  it('repeats why the server refuses the stream', async () => {
    const { code, stderr } = await run('watch --project sohp')
    expect(code).toBe(5)
    expect(stderr).toContain('"sohp"')
  })

  it('prints the changes of a flag as they are made', async () => {
    const watching = run('watch banner -n 2 --output table')
    const params = { project: 'shop', feature: 'banner' }
    // The stream starts with the changes after it opened, so changes are made until it has two.
    let isOver = false
    void watching.then(() => {
      isOver = true
    })
    for (let count = 0; !isOver && count < 1000; count++) {
      await call(server, 'updateFeature', { params, body: { name: `Banner ${count}` } })
    }
    const { code, stdout } = await watching
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^(\d\d:\d\d:\d\d {2}banner: modified feature, by .*\n){2}$/)
    ])
  })
})
