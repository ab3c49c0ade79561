/** Returns two targets: one for the users whom all filters select, and one that divides the others in halves. */
export function splitTargets(filters) {
  return [
    {
      audience: { filters: { operator: 'and', filters } },
      distribution: [{ _variation: 'variation-on', percentage: 1 }]
    },
    {
      audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
      distribution: [
        { _variation: 'variation-on', percentage: 0.5 },
        { _variation: 'variation-off', percentage: 0.5 }
      ]
    }
  ]
}
