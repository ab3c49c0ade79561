import { expect, test } from 'vitest'
import { summarizeItems } from '../../../src/pages/features/bulk/bulkActions.ts'

test('the summary of a bulk action separates thousands', () => {
  const items = (outcome: string, count: number) => Array.from({ length: count }, () => ({ outcome }))
  expect(summarizeItems([...items('unchanged', 1000), ...items('wouldRequest', 1)] as never)).toBe(
    '1 needs approval, 1,000 unchanged'
  )
})
