export { attributeFilter, audienceFilter, optInFilter } from './filters.ts'
export type { TestFeature, TestRules, TestTarget } from './rules.ts'
export { type TestConfig, testConfig } from './testConfig.ts'
