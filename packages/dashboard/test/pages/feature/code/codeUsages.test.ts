import type { CodeUsage } from '@burgee/contract/schemas'
import { expect, it } from 'vitest'
import { countReads, groupByVariable } from '../../../../src/pages/feature/code/codeUsages.ts'

const usage = (key: string, repo: string, ...tests: boolean[]) =>
  ({ key, repo, references: tests.map((isTest) => ({ isTest })) }) as unknown as CodeUsage

const usages = [usage('layout', 'shop', false), usage('banner', 'shop', true, false), usage('layout', 'app', false)]

it('code usages are grouped by variable, without variables that no place reads', () => {
  const groups = groupByVariable([...usages, usage('unread', 'shop')])
  expect(groups.map(([key, found]) => [key, found.map(({ repo }) => repo)])).toEqual([
    ['banner', ['shop']],
    ['layout', ['shop', 'app']]
  ])
})

it('code usages are counted, with those in tests', () => {
  expect(countReads(usages)).toEqual({ all: 4, tests: 1 })
})
