import fc from 'fast-check'
import { seed } from './packages/testing/src/scale.ts'

// The same cases in every run; another seed explores others: TEST_SEED=$RANDOM npx vitest run
fc.configureGlobal({ seed })
