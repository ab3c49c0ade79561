import { expect, it } from 'vitest'
import { reportText } from '../../../src/components/report/reportText.ts'

const environments = new Map([['1', 'Production']])

it('writes a report as a line for each item', () => {
  const word = (text: string) => ({ word: text, tone: 'off' }) as const
  const words = {
    applied: word('changed'),
    changeRequest: word('waits'),
    unchanged: word('unchanged'),
    refused: word('refused'),
    wouldApply: word('will change'),
    wouldRequest: word('will wait')
  }
  const error = { statusCode: 404, message: 'there is no feature "b"', error: 'Not Found' }
  const change = { type: 'disabledEnvironment', newContents: null, previousContents: null, _environments: ['1'] }
  const items = [
    { feature: 'a', outcome: 'applied', changes: [change, change] },
    { feature: 'b', outcome: 'refused', changes: [], error }
  ]
  expect(reportText(items as never, words, environments)).toBe(
    'a\tchanged\tturns it off in Production\nb\trefused\tthere is no feature "b"'
  )
})
