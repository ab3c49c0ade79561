import { execFile, spawnSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { executable, makeFolder, run } from '../support/program.ts'

const words = async (...typed: readonly string[]) => {
  const { code, stdout, stderr } = await run(['completion', 'words', '--', ...typed])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

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
    expect(await words('rollout', 'new-checkout', '--w')).toEqual(['--where'])
    expect(await words('features', 'create', '--na')).toEqual(['--name'])
  })

  it('has no words where none fit', async () => {
    expect(await words('flags', 'list', 'x')).toEqual([])
    expect(await words('nothing', '')).toEqual([])
  })
})

/** How a shell is asked for the words that follow `burgee flags o`, after the script that `burgee` prints. */
const shells = {
  bash: `source <(burgee completion bash); COMP_WORDS=(burgee flags o); COMP_CWORD=2; _burgee; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() {}; compadd() { print -l -- "\${found[@]}" }; eval "$(burgee completion zsh)"; words=(burgee flags o); CURRENT=3; _burgee`,
  fish: `burgee completion fish | source; complete -C 'burgee flags o'`
} as const

/** Debian has packages of all three; bash is on every computer that runs the tests. */
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

for (const [shell, script] of Object.entries(shells)) {
  it.skipIf(!isInstalled(shell))(`completes in ${shell} with the script that it prints`, async () => {
    const folder = await makeFolder()
    await writeFile(join(folder, 'burgee'), `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@"\n`)
    await chmod(join(folder, 'burgee'), 0o755)
    const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    const { stdout } = await promisify(execFile)(shell, ['-c', script], { env: environment })
    expect(stdout).toBe('off\non\n')
  })
}

it.each(['bash', 'zsh', 'fish'])('prints a script for %s that asks for words', async (shell) => {
  const { code, stdout } = await run(['completion', shell])
  expect([code, stdout]).toEqual([0, expect.stringContaining('burgee completion words -- ')])
})
