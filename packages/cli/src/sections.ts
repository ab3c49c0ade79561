/** The jobs of people, as headings of the help and of the overview, with the first words of their commands. */
export const sections: Readonly<Record<string, readonly string[]>> = {
  'Get started': ['init', 'login', 'logout', 'whoami', 'use', 'profiles', 'doctor'],
  'Change flags': ['flags', 'rollout', 'serve', 'history', 'undo'],
  'See who gets what': ['explain', 'evaluate', 'results', 'audit', 'watch', 'open'],
  'Release flags': ['compare', 'promote', 'requests', 'keys'],
  'Flags in code': ['usages', 'scan', 'diff', 'cleanup', 'types', 'stale'],
  'Flags in files': ['plan', 'apply', 'pull', 'export', 'import'],
  'Work locally': ['dev']
}
