import { describe, expect, test } from 'vitest'
import { changedMetricMembers, toMetricBody, toMetricForm } from '../../../src/components/metrics/metricForm.ts'

describe('the form of a metric', () => {
  test('follows the name with the key until it is typed', () => {
    const form = { ...toMetricForm(), name: 'Paid orders', event: 'paid' }
    expect(toMetricBody(form)).toEqual({
      name: 'Paid orders',
      key: 'paid-orders',
      event: 'paid',
      dimension: 'COUNT_PER_UNIQUE_USER',
      optimize: 'increase',
      countsFrom: 'firstExposure'
    })
  })

  test('sends what changed only', () => {
    const before = { ...toMetricForm(), name: 'Paid', key: 'paid', description: 'old' }
    expect(changedMetricMembers(before, { ...before, description: '', optimize: 'decrease' })).toEqual({
      description: '',
      optimize: 'decrease'
    })
  })
})
