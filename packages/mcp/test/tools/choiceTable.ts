import { guideTable } from './toolTable.ts'

const lists = {
  sortBy: ['createdAt', 'updatedAt', 'name', 'key', 'createdBy', 'propertyKey'],
  sortOrder: ['asc', 'desc']
}
const types = ['release', 'experiment', 'permission', 'ops']
const statuses = ['active', 'complete', 'archived']
const valueTypes = ['String', 'Boolean', 'Number', 'JSON']
const evaluations = { period: ['day', 'hour', 'month'], sdkType: ['client', 'server', 'mobile', 'api'] }

/** The values of the enumerated parameters of each tool. */
export const choiceTable: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  install_service_sdk: { guide: guideTable },
  list_features: {
    ...lists,
    staleness: ['all', 'unused', 'released', 'unmodified', 'notStale'],
    type: types,
    status: statuses
  },
  create_feature: { type: types },
  update_feature: { type: types },
  update_feature_status: { status: statuses },
  get_feature_audit_log_history: {
    sortBy: ['createdAt', 'updatedAt', 'action', 'user'],
    sortOrder: ['asc', 'desc'],
    action: ['created', 'modified', 'deleted']
  },
  get_feature_total_evaluations: evaluations,
  get_project_total_evaluations: evaluations,
  list_variables: { ...lists, type: valueTypes, status: ['active', 'archived'] },
  create_variable: { type: valueTypes },
  update_variable: { type: valueTypes }
}
