import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { countVisits } from '../../../src/components/links/visits.ts'

const open = () => createMemoryHistory({ initialEntries: ['/features/new?env=staging'] })

test('counts another page, and the return to the first', () => {
  const history = open()
  const visits = countVisits(history)
  history.push('/features')
  expect(visits()).toBe(1)
  history.push('/features/new?env=staging')
  expect(visits()).toBe(2)
  history.back()
  expect(visits()).toBe(3)
})

test('counts neither search parameters nor a replaced address', () => {
  const history = open()
  const visits = countVisits(history)
  history.push('/features/new?env=production')
  history.back()
  history.replace('/p/new-key/features/new')
  expect(visits()).toBe(0)
  history.push('/p/new-key/features')
  expect(visits()).toBe(1)
})

test('counts for all components of a page together', () => {
  const history = open()
  const visits = countVisits(history)
  history.push('/features')
  expect(countVisits(history)()).toBe(visits())
})
