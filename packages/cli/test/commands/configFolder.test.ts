import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'

const SERVER = 'http://127.0.0.1:9'

/** Creates a folder with a profile and an API client for a server that is not reachable. */
async function makeSignedIn(): Promise<string> {
  const folder = await makeFolder()
  const servers = { [SERVER]: { clientId: 'bot', clientSecret: 'made-up' } }
  await writeFile(join(folder, 'credentials.json'), JSON.stringify({ version: 1, servers }), { mode: 0o600 })
  const profiles = { current: 'local', profiles: { local: { server: SERVER, project: 'shop' } } }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ version: 1, ...profiles }), { mode: 0o600 })
  return folder
}

const permissions = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('what other users can change is not used', () => {
  it.each([
    ['the folder', '', 0o777, 2, /other users can change \S+ \(mode 777\): run chmod 700 on it/],
    ['the folder, for the group', '', 0o770, 2, /other users can change \S+ \(mode 770\)/],
    [
      'the file of profiles',
      'config.json',
      0o666,
      2,
      /other users can change \S+config.json \(mode 666\): run chmod 600/
    ],
    ['the file of credentials', 'credentials.json', 0o620, 3, /other users can access it \(mode 620\): run chmod 600/],
    ['the file of credentials, for readers', 'credentials.json', 0o604, 3, /other users can access it \(mode 604\)/]
  ])('%s', async (_, name, mode, expected, message) => {
    const folder = await makeSignedIn()
    await chmod(join(folder, name), mode)
    const { code, stderr } = await runHere(['whoami'], { BURGEE_CONFIG_DIR: folder })
    expect([code, JSON.parse(stderr).error.message]).toEqual([expected, expect.stringMatching(message)])
  })

  it('includes credentials in such a folder without profiles', async () => {
    const folder = await makeFolder()
    const servers = { [SERVER]: { clientId: 'bot', clientSecret: 'made-up' } }
    await writeFile(join(folder, 'credentials.json'), JSON.stringify({ version: 1, servers }), { mode: 0o600 })
    await chmod(folder, 0o777)
    const { code, stderr } = await runHere(['whoami'], { BURGEE_CONFIG_DIR: folder, BURGEE_URL: SERVER })
    expect([code, stderr]).toEqual([3, expect.stringMatching(/other users can change its files \(mode 777\)/)])
  })
})

test('a folder that others can read is used: its files have their own modes', async () => {
  const folder = await makeSignedIn()
  await chmod(folder, 0o755)
  await chmod(join(folder, 'config.json'), 0o644)
  const { code } = await runHere(['profiles', 'list'], { BURGEE_CONFIG_DIR: folder })
  expect(code).toBe(0)
})

test('a new folder is created for its owner only', async () => {
  const folder = join(await makeFolder(), 'burgee')
  const { code } = await runHere(['use', 'local', '--server', SERVER], { BURGEE_CONFIG_DIR: folder })
  expect([code, await permissions(folder), await permissions(join(folder, 'config.json'))]).toEqual([0, '700', '600'])
})
