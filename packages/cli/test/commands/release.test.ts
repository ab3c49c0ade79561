import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NOW } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatColumns } from '../../src/output/formatColumns.ts'
import { formatList } from '../../src/output/formatValue.ts'
import { runHere } from '../support/program.ts'
import { openShop, type Shop } from '../support/shop.ts'

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

  it('knows no comparison but =', async () => {
    const { code, stderr } = await shop.run('rollout search --to 50 --where country!=CA -e development --yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--where')])
  })

  it('changes to a share at a date', async () => {
    expect((await shop.run(`rollout search --to 80 --at ${at(3)} -e development --yes`)).code).toBe(0)
    const stages = [{ type: 'discrete', percentage: 0.8, date: at(3) }]
    expect(await rollouts()).toEqual([{ type: 'stepped', startDate: at(0), startPercentage: 0.2, stages }])
  })

  it.each([
    ['--to 50 --from 20', '--from requires --over <duration> or --at <date>'],
    ['--to 50 --over 7d --at 2030-01-01', 'pass only one of them'],
    ['--to 50 --over 7', '--over cannot be "7"'],
    ['--to 50 --at 2001-01-01', '--at has passed']
  ])('refuses %s', async (flags, message) => {
    const { code, stderr } = await shop.run(`rollout search ${flags} -e development`)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('burgee rollout --where', () => {
  it('says that the project has no such property, and names the nearest one', async () => {
    const { code, stderr } = await shop.run('rollout new-checkout --to 20 --where contry=CA -e development')
    expect([code, stderr]).toEqual([
      0,
      'burgee: project shop has no custom property "contry" (did you mean country?): the target matches only users whose customData has it\n'
    ])
    expect((await shop.run('rollout new-checkout --to 20 --where plan=pro -e development')).stderr).toContain(
      'no custom property "plan": '
    )
  })

  it('asks a person before such a target is added', async () => {
    const refused = await shop.run('rollout new-checkout --to 20 --where langauge=fr -e development', 'n')
    expect([refused.code, refused.stderr]).toEqual([11, expect.stringContaining('no custom property "langauge"')])
    expect((await shop.run('rollout new-checkout --to 20 --where langauge=fr -e development', 'y')).code).toBe(0)
    // The target exists, so the property is meant.
    expect((await shop.run('rollout new-checkout --to 30 --where langauge=fr -e development')).stderr).toBe('')
  })

  it('compares a custom property by its type', async () => {
    for (const [propertyKey, type] of Object.entries({ seats: 'Number', isTrial: 'Boolean' })) {
      await shop.ask('createCustomProperty', { body: { key: `${type}`.toLowerCase(), name: type, type, propertyKey } })
    }
    const line = 'rollout new-checkout --to 20 -e development --where seats=5,10 --where isTrial=true'
    expect(await shop.run(line)).toMatchObject({ code: 0, stderr: '' })
    const query = { environment: 'development' }
    const [{ targets }] = await shop.ask('listFeatureConfigurations', { params: { feature: 'new-checkout' }, query })
    expect(targets[0].audience.filters.filters).toMatchObject([
      { dataKey: 'seats', dataKeyType: 'Number', values: [5, 10] },
      { dataKey: 'isTrial', dataKeyType: 'Boolean', values: [true] }
    ])
    const refused = await shop.run('rollout new-checkout --to 20 -e development --where seats=many')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'burgee: --where seats=many: the custom property seats should be a number\n'
    ])
  })
})

describe('burgee evaluate', () => {
  it('names the command that lists variables, where none is near', async () => {
    const { code, stderr } = await shop.run('evaluate nosuch --user ada -e development')
    expect([code, stderr]).toEqual([5, expect.stringContaining('\nList them with burgee variables list.')])
  })

  it('names the nearest variable', async () => {
    const { code, stderr } = await shop.run('evaluate new-chekout --user ada -e development')
    expect([code, stderr]).toEqual([5, expect.stringContaining('got "new-chekout"; did you mean "new-checkout"?')])
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
    const refused = await shop.run('promote serch --from development --to production -o table')
    expect([refused.code, refused.stdout.split('\n').slice(1)]).toEqual([
      6,
      [
        expect.stringMatching(/^serch +refused +see below$/),
        expect.stringMatching(/^serch: .* did you mean "search"\?$/),
        ''
      ]
    ])
    const body = {
      status: 'active',
      targets: [
        {
          name: 'Everyone',
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: 'variation-on', percentage: 1 }]
        }
      ]
    }
    const query = { environment: 'development' }
    await shop.ask('updateFeatureConfiguration', { params: { feature: 'new-checkout' }, query, body })
    const shown = await shop.run('promote new-checkout --from development --to production', 'n')
    expect([shown.code, shown.stderr]).toEqual([
      11,
      expect.stringContaining('new-checkout in production:\n  Removed target 1, “seats 5, 10; isTrial true”.\n')
    ])
    expect(shown.stderr).toContain('\n  Added target 1, Everyone. Everyone gets “Variation On”.\n')
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

  it('explains a flag at another time', async () => {
    const at = '2100-01-01T01:00:00+01:00'
    const explained = await shop.json(`explain search -e development --user ada --at ${at}`)
    expect([explained.at, explained.features.length]).toEqual(['2100-01-01T00:00:00.000Z', 1])
    const refused = [`explain --user ada --at ${at}`, 'explain search --user ada --at yesterday']
    for (const line of refused)
      expect(await shop.run(line)).toMatchObject({ code: 2, stderr: expect.stringContaining('--at') })
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

  it('have their statuses in narrow tables, and an id only beside no key', () => {
    const feature = {
      key: 'new-checkout',
      name: 'The new checkout',
      status: 'complete',
      updatedAt: '2026-03-01T12:00:00.000Z'
    }
    const columns = ['key', 'name', 'status', 'updatedAt', '_id']
    const ids = { _id: '65f0c0ffee0123456789000d' }
    const [header, row] = formatList([{ ...feature, ...ids }], columns, 60).split('\n')
    expect([header, row]).toEqual([
      'KEY           NAME              STATUS',
      'new-checkout  The new checkout  complete'
    ])
    expect(formatList([{ ...feature, ...ids }], ['name', 'updatedAt', '_id'], 50)).toContain(ids._id)
  })

  it('leave out less important columns before others are cut', () => {
    const rows = [
      ['KEY', 'NAME', 'PRODUCTION'],
      ['search', 'A long name of a flag', 'on: variation-on']
    ]
    expect(formatColumns(rows, 30, { optional: [1] })).toEqual(['KEY     PRODUCTION', 'search  on: variation-on'])
    expect(formatColumns(rows, 60, { optional: [1] })[0]).toBe('KEY     NAME                   PRODUCTION')
  })

  const flags = [
    ['KEY', 'NAME', 'DEVELOPMENT', 'PRODUCTION'],
    ['new-checkout', 'New checkout', 'split: variation-on, variation-off', 'off'],
    ['search', 'Search', 'on: on', 'split: compact, wide']
  ]
  const layout = { optional: [1], wrapped: [2, 3] }

  it('wrap texts with keys, and never cut these', () => {
    expect(formatColumns(flags, 60, layout)).toEqual([
      'KEY           DEVELOPMENT               PRODUCTION',
      'new-checkout  split: variation-on,      off',
      '              variation-off',
      'search        on: on                    split: compact, wide'
    ])
    for (const width of [20, 30, 40, 50, 60, 80, 120]) {
      const text = formatColumns(flags, width, layout).join('\n')
      for (const key of ['new-checkout', 'variation-on,', 'variation-off', 'compact,', 'DEVELOPMENT']) {
        expect(text).toContain(key)
      }
      expect(text).not.toContain('…')
    }
  })

  it('have a paragraph for each row in a terminal that is too narrow', () => {
    expect(formatColumns(flags, 38, layout)).toEqual([
      'new-checkout',
      '  NAME         New checkout',
      '  DEVELOPMENT  split: variation-on,',
      '               variation-off',
      '  PRODUCTION   off',
      'search',
      '  NAME         Search',
      '  DEVELOPMENT  on: on',
      '  PRODUCTION   split: compact, wide'
    ])
  })

  it('have their full width with --wide, and if standard output is not a terminal', async () => {
    const terminal = { isTerminal: true, width: 30, now: () => NOW }
    const lines = async (...args: readonly string[]) => {
      const { stdout } = await runHere(['flags', 'list', ...args], shop.environment, terminal)
      return stdout.trimEnd().split('\n')
    }
    expect((await lines()).filter((line) => line.length > 30)).toEqual([])
    const wide = await lines('--wide')
    expect([wide[0], wide.join('').includes('…')]).toEqual([expect.stringMatching(/^KEY +NAME /), false])
  })
})

describe('burgee history', () => {
  it('has whole dates in a terminal of 80 columns', async () => {
    const terminal = { isTerminal: true, width: 80, now: () => NOW }
    const { stdout } = await runHere(['history', 'search'], shop.environment, terminal)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    // Lines with wrapped texts begin with spaces.
    const entries = lines.slice(1).filter((line) => !line.startsWith(' '))
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.filter((line) => !line.includes(`  ${at(0).slice(0, 16).replace('T', ' ')}  `))).toEqual([])
  })
})

describe('burgee init', () => {
  it('suggests a flag that does not exist yet', async () => {
    expect((await shop.run('init --project shop --environment development')).stdout).toContain(
      'Next: burgee flags create first-flag'
    )
  })
})
