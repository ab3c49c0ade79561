import fc from 'fast-check'

// The same cases in every run; another seed explores others: TEST_SEED=$RANDOM npx vitest run
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_121) })
