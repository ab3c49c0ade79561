import { expect, test } from 'vitest'
import { approvalCoverage } from '../../../src/pages/settings/approvalCoverage.ts'

test('approvals reach features that are not archived, and count those that are on in protected environments', () => {
  const features = [
    { status: 'active' as const, environments: { production: { status: 'partly' as const } } },
    { status: 'active' as const, environments: { production: { status: 'off' as const } } },
    { status: 'active' as const, environments: { production: { status: 'killed' as const } } },
    { status: 'complete' as const, environments: { staging: { status: 'on' as const } } },
    { status: 'archived' as const, environments: { production: { status: 'on' as const } } }
  ]
  expect(approvalCoverage(features, [{ key: 'production' }])).toEqual({ total: 4, served: 1 })
})
