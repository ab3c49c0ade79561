import type { ToolSettings } from '../settings/toolSettings.ts'
import type { Tool } from '../tool.ts'
import { tools } from './tools.ts'

/** Returns the tools that the settings enable. The category `projects` is always enabled: the other tools need a project. */
export function enabledTools({ readOnly, categories }: Pick<ToolSettings, 'readOnly' | 'categories'>): readonly Tool[] {
  return tools.filter(({ category, access }) => {
    const isInCategory = categories.length === 0 || category === 'projects' || categories.includes(category)
    return isInCategory && (!readOnly || access === 'reads' || access === 'session')
  })
}
