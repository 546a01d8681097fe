export type BackupPlace = 'folder' | 's3' | 'chat'
