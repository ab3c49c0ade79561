import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatColumns } from '../../src/output/formatColumns.ts'
import { openShop, type Shop } from '../code/project.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  for (const key of ['search', 'new-checkout']) {
    await shop.ask('createFeature', { body: { key, name: key, tags: ['release-42'] } })
  }
})

/** The rollouts of the targets of `search` in development. */
async function rollouts() {
  const query = { environment: 'development' }
  const [configuration] = await shop.ask('listFeatureConfigurations', { params: { feature: 'search' }, query })
  return configuration.targets.map(({ rollout }: { rollout?: object }) => rollout)
}

const at = (days: number) => new Date(NOW + days * 86_400_000).toISOString()

describe('burgee rollout', () => {
  it('rises to a share over a time, from the current one or a given one', async () => {
    expect((await shop.run('rollout search --to 50 --over 7d -e development --yes')).code).toBe(0)
    const rising = { type: 'gradual', startDate: at(0), startPercentage: 0 }
    expect(await rollouts()).toEqual([{ ...rising, stages: [{ type: 'linear', percentage: 0.5, date: at(7) }] }])
    expect((await shop.run('rollout search --to 100 --over 2w --from 20 -e development --yes')).code).toBe(0)
    expect(await rollouts()).toMatchObject([{ startPercentage: 0.2, stages: [{ percentage: 1, date: at(14) }] }])
  })

  it('changes to a share at a date', async () => {
    expect((await shop.run(`rollout search --to 80 --at ${at(3)} -e development --yes`)).code).toBe(0)
    const stages = [{ type: 'discrete', percentage: 0.8, date: at(3) }]
    expect(await rollouts()).toEqual([{ type: 'stepped', startDate: at(0), startPercentage: 0.2, stages }])
  })

  it.each([
    ['--to 50 --from 20', '--from is the share before a later one'],
    ['--to 50 --over 7d --at 2030-01-01', 'give one of them'],
    ['--to 50 --over 7', '--over cannot be "7"'],
    ['--to 50 --at 2001-01-01', '--at has passed']
  ])('refuses %s', async (flags, message) => {
    const { code, stderr } = await shop.run(`rollout search ${flags} -e development`)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('burgee promote', () => {
  it('promotes the flags with a tag, and writes a report', async () => {
    const report = join(shop.folder, 'report.json')
    const { code } = await shop.run(
      `promote --tag release-42 --from development --to production --report ${report} --yes`
    )
    // The rollout of search is unfinished.
    expect(code).toBe(10)
    const { from, items } = JSON.parse(await readFile(report, 'utf8'))
    expect(from).toBe('development')
    expect(items).toMatchObject([{ feature: 'new-checkout' }, { feature: 'search', outcome: 'refused' }])
    expect((await shop.run('promote --tag none --from development --to production')).stderr).toContain(
      'no flag has the tag "none"'
    )
    expect((await shop.run('promote --from development --to production')).stderr).toContain('promote needs flags')
  })
})

describe('burgee explain', () => {
  it('shows what a user would get if a file were applied', async () => {
    const targets = '[{ name: All, for: everybody, serve: variation-off }]'
    const text = `burgee: 1\nfeatures:\n  search: { environments: { development: { targets: ${targets} } } }\n`
    await shop.write('draft.yaml', text)
    const { features } = await shop.json('explain search -e development --user ada --draft FLAGS/draft.yaml')
    expect(features[0].variation.key).toBe('variation-off')
    expect((await rollouts())[0]).toMatchObject({ type: 'stepped' })
  })
})

describe('burgee completion', () => {
  it.each([
    ['bash', '.local/share/bash-completion/completions/burgee'],
    ['zsh', '.zfunc/_burgee'],
    ['fish', '.config/fish/completions/burgee.fish']
  ])('installs the script of %s', async (shell, path) => {
    const { stdout } = await shop.run(`completion ${shell} --install`, undefined, { HOME: shop.folder })
    expect(stdout).toContain(`Wrote FLAGS/${path}.`)
    expect(await shop.read(path)).toBe((await shop.run(`completion ${shell}`)).stdout)
  })
})

describe('results', () => {
  it('say which members there are, if --query has an unknown one', async () => {
    expect(await shop.run('features list --query [].nmae')).toEqual({
      code: 0,
      stdout: expect.any(String),
      stderr: expect.stringContaining('nothing has the member "nmae" (did you mean name?): there are _id, ')
    })
    expect((await shop.run('features list --query [].name')).stderr).toBe('')
  })

  it('leave out less important columns before others are cut', () => {
    const rows = [
      ['KEY', 'NAME', 'PRODUCTION'],
      ['search', 'A long name of a flag', 'on: variation-on']
    ]
    expect(formatColumns(rows, 30, [1])).toEqual(['KEY     PRODUCTION', 'search  on: variation-on'])
    expect(formatColumns(rows, 60, [1])[0]).toBe('KEY     NAME                   PRODUCTION')
  })
})

describe('burgee init', () => {
  it('suggests a flag that does not exist yet', async () => {
    expect((await shop.run('init --project shop --environment development')).stdout).toContain(
      'Next: burgee flags create first-flag'
    )
  })
})
