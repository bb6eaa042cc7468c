export const shapeOf: (text: string) => string
export const missingOnPostgres: (folder: string) => { shape: string; by: string; test: string | undefined }[]
