/** This browser's time zone. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All time zones by region, the first part of their names; names without a slash are in `UTC`. Always includes the chosen zone and the browser's. */
export const zonesByRegion = (chosen: string): { region: string; zones: string[] }[] => {
  const all = [...new Set(['UTC', chosen, ownZone(), ...Intl.supportedValuesOf('timeZone')])].sort()
  const regions = Map.groupBy(all, zone => (zone.includes('/') ? (zone.split('/')[0] ?? '') : 'UTC'))
  return [...regions].map(([region, zones]) => ({ region, zones }))
}
