export { ApiError, type Client, type ClientOptions, createClient } from './client.ts'
export { openApi } from './openapi.ts'
export type { Input, Operation, Output, Request, SdkKeyCredential, SdkKeyType } from './operation.ts'
export { type Operations, operations } from './operations.ts'
export { ErrorBody, Message } from './schema/error.ts'
export { BucketedFeature, BucketedVariable, EvalReason } from './schema/evaluation.ts'
export { Event, Track } from './schema/event.ts'
export { Key } from './schema/key.ts'
export {
  BulkEvaluation,
  BulkFailure,
  EvaluationContext,
  EvaluationFailure,
  EvaluationRequest,
  EvaluationSuccess
} from './schema/ofrep.ts'
export { OptInChoices, OptInConfig } from './schema/optIn.ts'
export { CustomData, EdgeUser, User } from './schema/user.ts'
