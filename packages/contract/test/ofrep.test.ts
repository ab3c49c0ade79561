import type { OfrepFailure, OfrepSuccess } from '@burgee/core'
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { EvaluationFailure, EvaluationSuccess } from '../src/schema/evaluation/ofrep.ts'

test('the flags of core are flags of OFREP', () => {
  expectTypeOf<OfrepSuccess>().toExtend<z.infer<typeof EvaluationSuccess>>()
  expectTypeOf<OfrepFailure>().toExtend<EvaluationFailure>()
})
