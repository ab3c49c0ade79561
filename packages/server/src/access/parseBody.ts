import type { Operation } from '@burgee/contract'

/** Parses a value with a schema of the contract. @throws {HttpError} 400 with every issue */
export type ParseBody = <S extends NonNullable<Operation['body']>>(schema: S, value: unknown) => S['_output']
