/** Whether changing this setting of a project requires `project:write:settings`. */
export function isProtectedSetting(name: string): boolean {
  return protectedSettings.has(name)
}

const protectedSettings: ReadonlySet<string> = new Set(['featureApprovalWorkflow', 'overrides', 'staleness'])
