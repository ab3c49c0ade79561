import { execFile, spawnSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addCleanup } from '@burgee/testing/cleanup'
import { describe, expect, it } from 'vitest'
import { executable, makeFolder, run, runHere } from '../support/program.ts'

type Environment = Readonly<Record<string, string>>

const wordsWith = async (environment: Environment, ...typed: readonly string[]) => {
  const { code, stdout, stderr } = await run(['completion', 'words', '--', ...typed], environment)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

const words = (...typed: readonly string[]) => wordsWith({}, ...typed)

describe('burgee completion words', () => {
  it('completes the first word', async () => {
    expect(await words('rol')).toEqual(['rollout'])
    expect(await words('fl')).toEqual(['flags'])
  })

  it('completes commands of a group', async () => {
    expect(await words('flags', '')).toEqual(['create', 'kill', 'list', 'off', 'on', 'show'])
    expect(await words('features', 'static', '')).toEqual(['get', 'update'])
  })

  it('completes flags of a command, after its arguments too', async () => {
    expect(await words('rollout', 'new-checkout', '--w')).toEqual(['--where', '--wide'])
    expect(await words('features', 'create', '--na')).toEqual(['--name'])
  })

  it('completes the options that can precede a command, and the command after them', async () => {
    expect(await words('--pro')).toEqual(['--profile', '--project'])
    expect(await words('--v')).toEqual(['--version'])
    expect(await words('flags', '--')).toEqual(['--help'])
    expect(await words('--output', 'js')).toEqual(['json', 'jsonl'])
    expect(await words('--output=js')).toEqual(['--output=json', '--output=jsonl'])
    expect(await words('--project', 'shop', '--json', '-o', 'yaml', 'fl')).toEqual(['flags'])
    expect(await words('--project', 'shop', 'flags', 'o')).toEqual(['off', 'on'])
    expect(await words('-p', 'shop', 'rollout', 'new-checkout', '--w')).toEqual(['--where', '--wide'])
  })

  it('completes the values of flags that have few', async () => {
    expect(await words('flags', 'list', '--output', 'js')).toEqual(['json', 'jsonl'])
    expect(await words('features', 'update', 'search', '--type', 'r')).toEqual(['release'])
  })

  it('completes choices of commands for people', async () => {
    expect(await words('keys', 'rotate', '--type', '')).toEqual(['client', 'mobile', 'server'])
    expect(await words('plan', '--drift', '')).toEqual(['fail', 'keep', 'put-back'])
    expect(await words('pull', '--format', '')).toEqual(['json', 'yaml'])
    expect(await words('pull', '--split', 'f')).toEqual(['feature'])
  })

  it('completes shells, without the commands that completion scripts call', async () => {
    expect(await words('completion', '')).toEqual(['bash', 'fish', 'zsh'])
    const { stdout } = await run(['completion', '--help'])
    expect(stdout).not.toMatch(/^ {2}(words|keys)/m)
    const { stderr } = await run(['completion'])
    expect(stderr).toContain('completion needs a command: bash, zsh, fish. See')
  })

  it('completes names of profiles, which are on this computer', async () => {
    const folder = await makeFolder()
    const environment = { BURGEE_CONFIG_DIR: folder }
    const server = 'http://127.0.0.1:1'
    for (const name of ['work', 'play']) await run(['use', name, '--server', server], environment)
    expect(await wordsWith(environment, 'flags', 'list', '--profile', '')).toEqual(['play', 'work'])
    expect(await wordsWith(environment, 'use', 'w')).toEqual(['work'])
    expect(await wordsWith(environment, '--profile', '')).toEqual(['play', 'work'])
  })

  it('has no words where none fit', async () => {
    expect(await words('flags', 'list', 'x')).toEqual([])
    expect(await words('nothing', '')).toEqual([])
  })
})

/** Without SDK keys, which the access log would record as shown. */
const ENVIRONMENTS = '/v1/projects/shop/environments?perPage=1000&includeSdkKeys=false'

describe('keys', () => {
  it('completes keys of the server from a cache, which is filled in the background', async () => {
    const { url, requests } = await listKeys()
    const environment = { BURGEE_URL: url, BURGEE_TOKEN: 'token', ...(await emptyFolders()) }
    await expect
      .poll(() => wordsWith(environment, 'flags', 'show', '--project', 'shop', 'new'), { timeout: 60_000 })
      .toEqual(['new-checkout', 'new-search'])
    expect(await wordsWith(environment, 'promote', 'search', '-p', 'shop', 'new-c')).toEqual(['new-checkout'])
    expect(await wordsWith(environment, 'flags', 'create', '--project', 'shop', '')).toEqual([])
    expect(await wordsWith(environment, 'rollout', 'new-checkout', '--project', 'shop', '--to', '')).toEqual([])
    expect(requests()).toEqual(['/v1/projects/shop/feature-summaries?perPage=1000'])
  })

  it.each([
    [['projects', 'get', ''], '/v1/projects?perPage=1000'],
    [['flags', 'list', '--project', ''], '/v1/projects?perPage=1000'],
    [['-p', ''], '/v1/projects?perPage=1000'],
    [['-p', 'shop', 'flags', 'show', ''], '/v1/projects/shop/feature-summaries?perPage=1000'],
    [['features', 'get', '-p', 'shop', ''], '/v1/projects/shop/feature-summaries?perPage=1000'],
    [['audit', 'list', '--in-project', 'shop', '--feature', ''], '/v1/projects/shop/feature-summaries?perPage=1000'],
    [['environments', 'get', '-p', 'shop', ''], ENVIRONMENTS],
    [['flags', 'on', 'search', '-p', 'shop', '-e', ''], ENVIRONMENTS],
    [['compare', '-p', 'shop', '--from', ''], ENVIRONMENTS],
    [['evaluate', '-p', 'shop', ''], '/v1/projects/shop/variables?perPage=1000']
  ])('completes %s by GET %s', async (typed, request) => {
    const { url, requests } = await listKeys()
    const environment = { BURGEE_URL: url, BURGEE_TOKEN: 'token', ...(await emptyFolders()) }
    await expect.poll(() => wordsWith(environment, ...typed), { timeout: 60_000 }).toContain('new-checkout')
    expect(requests()).toEqual([request])
  })

  it('completes the value of a flag in the same word, which bash splits at "="', async () => {
    const { url } = await listKeys()
    const environment = { BURGEE_URL: url, BURGEE_TOKEN: 'token', ...(await emptyFolders()) }
    const here = async (...typed: readonly string[]) => {
      const { stdout } = await runHere(['completion', 'words', '--', ...typed], environment)
      return stdout.split('\n').filter(Boolean)
    }
    const flags = ['flags', 'list', '--output=json']
    await expect
      .poll(() => wordsWith(environment, ...flags, '--project=new-c'), { timeout: 60_000 })
      .toEqual(['--project=new-checkout'])
    expect(await here(...flags, '--project', '=', 'new-s')).toEqual(['new-search'])
    expect(await here(...flags, '--project', '=')).toEqual(['new-checkout', 'new-search'])
    expect(await here(...flags, '--columns=')).toEqual([])
    expect(await here(...flags, '--nothing=')).toEqual([])
  })

  it('completes the variations of the feature that was typed', async () => {
    const { url, requests } = await listKeys()
    const environment = { BURGEE_URL: url, BURGEE_TOKEN: 'token', ...(await emptyFolders()) }
    const typed = ['variations', 'get', '--project', 'shop', '--feature', 'search', '']
    await expect.poll(() => wordsWith(environment, ...typed), { timeout: 60_000 }).toContain('new-checkout')
    expect(await wordsWith(environment, 'serve', 'search', '-p', 'shop', 'new-s')).toEqual(['new-search'])
    expect(requests()).toEqual(['/v1/projects/shop/features/search/variations'])
  })

  it('completes ids of open change requests, with their descriptions', async () => {
    const request = (_id: string, status: string) => ({
      _id,
      status,
      feature: { key: 'search' },
      description: 'Turn\nit on'
    })
    const { url } = await listKeys([request('a1', 'pending'), request('b2', 'approved'), request('c3', 'applied')])
    const environment = { BURGEE_URL: url, BURGEE_TOKEN: 'token', ...(await emptyFolders()) }
    const typed = ['requests', 'approve', '-p', 'shop', '']
    await expect.poll(() => wordsWith(environment, ...typed), { timeout: 60_000 }).toEqual(['a1', 'b2'])
    const { stdout } = await run(['completion', 'words', '--describe', '--', ...typed], environment)
    expect(stdout).toBe('a1\tsearch (pending) Turn it on\nb2\tsearch (approved) Turn it on\n')
  })

  it('completes keys of all pages', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ key: `key-${index}` }))
    const { url, requests } = await listKeys(many, [{ key: 'last' }])
    const environment = { BURGEE_URL: url, BURGEE_TOKEN: 'token', ...(await emptyFolders()) }
    const typed = ['flags', 'show', '-p', 'shop', 'la']
    await expect.poll(() => wordsWith(environment, ...typed), { timeout: 60_000 }).toEqual(['last'])
    expect(requests()).toHaveLength(2)
  })

  it('has no keys without an account', async () => {
    const { url, requests } = await listKeys()
    const environment = { BURGEE_URL: url, ...(await emptyFolders()) }
    expect(await wordsWith(environment, 'flags', 'show', '--project', 'shop', '')).toEqual([])
    expect(requests()).toEqual([])
  })
})

/** Starts a server whose lists all have two keys, one of which no shell should see. */
async function listKeys(...pages: readonly (readonly object[])[]) {
  const received: string[] = []
  const keys = [{ key: 'new-checkout' }, { key: 'new-search' }, { key: 'new $(reboot)' }]
  const server = createServer(({ url = '' }, response) => {
    received.push(url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(pages.length > 0 ? (pages[received.length - 1] ?? []) : keys))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests: () => received }
}

async function emptyFolders() {
  return { XDG_CACHE_HOME: await makeFolder(), BURGEE_CONFIG_DIR: await makeFolder() }
}

/** How a shell is asked for the words that complete a line, after the script that `burgee` prints. */
const shells: Readonly<Record<string, (line: string) => string>> = {
  bash: (line) =>
    `source <(burgee completion bash); COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _burgee; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line) =>
    `compdef() {}; compadd() { print -l -- "\${shown[@]}" }; eval "$(burgee completion zsh)"; words=(${line}); CURRENT=\${#words}; _burgee`,
  fish: (line) => `burgee completion fish | source; complete -C '${line}'`
}

/** Debian has packages of all three; bash is on every computer that runs the tests. */
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

for (const [shell, toScript] of Object.entries(shells)) {
  it.skipIf(!isInstalled(shell))(
    `completes in ${shell}, if that is installed, with the script that it prints`,
    async () => {
      const folder = await makeFolder()
      await writeFile(join(folder, 'burgee'), `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@"\n`)
      await chmod(join(folder, 'burgee'), 0o755)
      const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
      const complete = async (line: string) => {
        const { stdout } = await promisify(execFile)(shell, ['-c', toScript(line)], { env: environment })
        return stdout
      }
      expect(await complete('burgee flags o')).toBe('off\non\n')
      expect(await complete('burgee --pro')).toBe('--profile\n--project\n')
      expect(await complete('burgee --output js')).toBe('json\njsonl\n')
    }
  )
}

it.skipIf(!isInstalled('fish'))('completes an empty word in fish', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'burgee'), `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@"\n`)
  await chmod(join(folder, 'burgee'), 0o755)
  const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const script = `burgee completion fish | source; complete -C 'burgee completion '`
  const { stdout } = await promisify(execFile)('fish', ['-c', script], { env: environment })
  expect(stdout).toBe('bash\nfish\nzsh\n')
})

it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks for words', async (shell) => {
  const { code, stdout } = await run(['completion', shell])
  expect([code, stdout]).toEqual([0, expect.stringContaining('burgee completion words ')])
})
