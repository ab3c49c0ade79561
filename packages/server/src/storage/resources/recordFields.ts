import type { Project } from '@burgee/contract/schemas'

/** Some members of a resource of the contract: those that responses return as stored. */
export type Of<Resource, Member extends keyof Resource> = Readonly<Pick<Resource, Member>>

/** The members of every stored resource. */
export type RecordFields = Of<Project, '_id' | 'createdAt' | 'updatedAt'>

/** The members of resources that record their creator. `_createdBy` is absent if the server created the resource. */
export interface CreatedRecordFields extends RecordFields {
  readonly _createdBy?: string
}
