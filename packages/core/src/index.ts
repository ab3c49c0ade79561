export { audiencesOf } from './audiencesOf.ts'
export { type CompileOptions, compile } from './compile.ts'
export type { EvaluateOptions, Evaluator } from './evaluator.ts'
export { type ExplainOptions, explainFeature } from './explainFeature.ts'
export { type ChangedPart, changedPart } from './incremental/changedPart.ts'
export { replacePart } from './incremental/replacePart.ts'
export { ConfigError } from './json/configError.ts'
export {
  type ContextUser,
  evaluationMetadata,
  type OfrepFailure,
  type OfrepFlag,
  type OfrepSuccess,
  ofrepFlag,
  ofrepFlags,
  toOfrepFlag,
  toUser
} from './openfeature.ts'
export { recompile } from './recompile.ts'
export { admittedShare } from './targeting/rollout.ts'
export type { Audience, Filter, Operator } from './types/audience.ts'
export type { BucketedConfig, Config, Environment, OffValue, Project } from './types/config.ts'
export type { EvalReason } from './types/evalReason.ts'
export type {
  Explanation,
  FeatureExplanation,
  FilterExplanation,
  OperatorExplanation,
  TargetExplanation
} from './types/explanation.ts'
export type { BucketedFeature, Feature, FeatureType, Variation } from './types/feature.ts'
export type { Problem, ProblemCode } from './types/problem.ts'
export type { Resolution } from './types/resolution.ts'
export type { Rollout, RolloutStage, Share, Target } from './types/target.ts'
export type { CustomData, CustomValue, User } from './types/user.ts'
export type { BucketedVariable, Json, Metadata, Variable, VariableType } from './types/variable.ts'
export { type Overrides, withOverrides } from './withOverrides.ts'
