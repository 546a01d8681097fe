-- In which times are shown in a chat (rules 18.6); null: that of the language.
ALTER TABLE "chats" ADD COLUMN "time_zone" TEXT;
