import type { ProjectChangeRequest } from '@burgee/contract/schemas'

/** What a change request of a project asks for, by its operation. */
export const operationWords: Readonly<Record<ProjectChangeRequest['operation'], string>> = {
  projectUpdate: 'Change the project',
  projectSettingsUpdate: 'Change settings of the project',
  protectedSettingsUpdate: 'Change the approval settings of the project',
  projectDelete: 'Delete the project',
  environmentUpdate: 'Change an environment',
  environmentDelete: 'Delete an environment',
  audienceUpdate: 'Change an audience',
  audienceSemanticUpdate: 'Change values of an audience'
}
