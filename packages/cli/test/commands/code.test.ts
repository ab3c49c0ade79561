import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'

let folder: string

beforeAll(async () => {
  folder = await makeFolder()
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src', 'cart.py'), 'client.get_boolean_value("new-cart", False)\n')
  git('init', '--quiet', '--initial-branch', 'main')
  commit('first')
  git('checkout', '--quiet', '--orphan', 'unrelated')
  commit('unrelated')
  git('checkout', '--quiet', 'main')
})

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', ['-C', folder, ...identity, ...args])
}

function commit(message: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', message)
}

const inFolder = (line: string, directory = folder) => {
  const words = line.split(' ').map((word) => word.replace('FOLDER', folder))
  return runHere([...words, '--offline'], {}, { isTerminal: true, directory })
}

test.each([
  ['scan FOLDER/nofolder', 'there is no folder FOLDER/nofolder'],
  [
    'usages FOLDER/src/cart.py',
    'FOLDER/src/cart.py is a file: pass its folder, and choose the file with --include "**/cart.py"'
  ],
  ['diff mian..', 'the repository has no revision "mian" (did you mean main?)'],
  ['diff main..nowhere', 'the repository has no revision "nowhere": fetch it first, or list branches with git branch'],
  ['diff main..--all', 'the repository has no revision "--all": fetch it first, or list branches with git branch'],
  [
    'diff main..unrelated',
    'main and unrelated have no commit in common: in a shallow clone, fetch the history with git fetch --unshallow'
  ]
])('burgee %s says what is wrong', async (line, message) => {
  expect(await inFolder(line)).toEqual({
    code: 2,
    stdout: '',
    stderr: `burgee: ${message.replaceAll('FOLDER', folder)}\n`
  })
})

test('burgee diff needs a repository', async () => {
  expect((await inFolder('diff main', await makeFolder())).stderr).toMatch(
    /^burgee: \S+ is in no git repository: burgee diff compares revisions of one\n$/
  )
})

test('burgee diff compares in the working directory', async () => {
  await writeFile(join(folder, 'src', 'search.py'), 'client.get_boolean_value("search", False)\n')
  expect(await inFolder('diff')).toMatchObject({ code: 0, stdout: '+ search  src/search.py:1  likely\n' })
})

test('files that are too large or not text are reported, and prove nothing to a clean-up', async () => {
  const other = await makeFolder()
  const read = 'client.get_boolean_value("new-cart", False)\n'
  await writeFile(join(other, 'large.py'), `${read}${'#'.repeat(4 << 20)}`)
  await writeFile(join(other, 'binary.py'), `${read}\0`)
  const usages = await inFolder(`usages ${other} --json`)
  expect(JSON.parse(usages.stdout)).toMatchObject({
    files: 0,
    problems: [
      { file: 'binary.py', isSearched: false, message: 'it is not text' },
      { file: 'large.py', isSearched: false, message: 'it is larger than 4 MiB' }
    ]
  })
  expect(usages.stderr).toContain('large.py was not searched: it is larger than 4 MiB')
  const cleanup = await inFolder(`cleanup new-cart ${other} --value true`)
  expect([cleanup.code, cleanup.stdout]).toEqual([1, expect.stringContaining('but did not search 2 files')])
  expect((await inFolder(`cleanup new-cart ${other} --value true --exclude *.py`)).stdout).toContain(
    'A scan of the result finds no read of new-cart.'
  )
})

test('burgee cleanup names a file with a syntax error, and cleans up the others', async () => {
  const other = await makeFolder()
  const read = "flags.getBooleanValue('new-cart', false)"
  await writeFile(join(other, 'broken.ts'), `export const a = ${read}\nfunction {\n`)
  await writeFile(join(other, 'whole.ts'), `export const b = ${read}\n`)
  const { code, stdout, stderr } = await inFolder(`cleanup new-cart ${other} --value true`)
  expect([code, stdout, stderr]).toEqual([
    1,
    expect.stringContaining('+export const b = true'),
    expect.stringMatching(/^burgee: broken\.ts has a syntax error and was searched as far as possible: .+\n$/)
  ])
  expect(stdout).toContain('Remove these reads by hand:\n  broken.ts:1')
})

test('burgee cleanup refuses a value that is not JSON', async () => {
  const { code, stderr } = await inFolder(`cleanup new-cart ${folder} --value maybe`)
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^burgee: --value cannot be "maybe": it should be JSON, @file/)
  ])
})

test('burgee diff follows a renamed file', async () => {
  // What other tests wrote.
  git('clean', '--force', '-d', '--quiet')
  git('checkout', '--quiet', '-b', 'renamed')
  git('mv', 'src/cart.py', 'src/basket.py')
  commit('renamed')
  expect(await inFolder('diff main..renamed')).toMatchObject({
    code: 0,
    stdout: 'No read of a variable is added or removed.\n'
  })
  await writeFile(
    join(folder, 'src', 'basket.py'),
    'client.get_boolean_value("new-cart", False)\nclient.get_boolean_value("other", False)\n'
  )
  commit('changed')
  expect((await inFolder('diff main..renamed')).stdout).toMatch(/^\+ other +src\/basket.py:2 +likely\n$/)
  git('checkout', '--quiet', 'main')
})
