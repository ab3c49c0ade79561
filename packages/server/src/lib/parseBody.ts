import type { Operation } from '@burgee/contract'

/** Holds a value against a schema of the contract. @throws {ApiError} 400 with every mistake */
export type ParseBody = <S extends NonNullable<Operation['body']>>(schema: S, value: unknown) => S['_output']
