/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Every zone that there is, by the part of the world that its name begins with; what is chosen now is there in any case. */
export const zonesByRegion = (chosen: string): { region: string; zones: string[] }[] => {
  const all = [...new Set(['UTC', chosen, ownZone(), ...Intl.supportedValuesOf('timeZone')])].sort()
  const regions = Map.groupBy(all, zone => (zone.includes('/') ? (zone.split('/')[0] ?? '') : 'UTC'))
  return [...regions].map(([region, zones]) => ({ region, zones }))
}
